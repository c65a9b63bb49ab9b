import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OpenDesk } from './port.ts';
import { COMPLETE, ERAS, handIn, testDesk, testOffice } from './testing/desk-bench.ts';

/** Only the variables that a client would pass on. */
const environmentOf = ({ bridge }: Pick<OpenDesk, 'bridge'>) => ({
  PATH: process.env['PATH'] ?? '',
  ...bridge.environment,
});

async function connectBy(desk: OpenDesk, negotiation: (typeof ERAS)[keyof typeof ERAS]): Promise<Client> {
  const [command = '', ...args] = desk.bridge.command;
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: negotiation });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command, args, env: environmentOf(desk) }));
  return client;
}

/** The program itself, line by line. */
function startBridge(desk: Pick<OpenDesk, 'bridge'>) {
  const [command = '', ...args] = desk.bridge.command;
  const child = spawn(command, args, { env: environmentOf(desk), stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    say: (line: string) => child.stdin.write(`${line}\n`),
    next: async () => JSON.parse(String((await lines.next()).value)) as Record<string, unknown>,
  };
}

const LIST = '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}';

describe.each(Object.entries(ERAS))('[Q2] a client of %s without HTTP', (_era, negotiation) => {
  test('finds the tools and hands in its signal through a separate program', async () => {
    const desk = await testDesk(await testOffice());
    const client = await connectBy(desk, negotiation);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['signal_back']);
    expect(await handIn(client, { ...COMPLETE, stepId: 's9' })).toMatchObject({ isError: true });
    expect(await handIn(client, COMPLETE)).toEqual({ text: 'Received.', isError: false });
    expect(desk.accepted).toHaveLength(1);
  });

  test('a name that no header can hold is passed on too', async () => {
    const desk = await testDesk(await testOffice());
    const said = await handIn(await connectBy(desk, negotiation), {}, 'sígnal back\n');
    expect(said.text).toContain('There is no tool');
  });
});

describe('the bridge', () => {
  test('has the token in its environment, never in its command', async () => {
    const desk = await testDesk(await testOffice());
    const token = desk.headers['Authorization']?.replace('Bearer ', '') ?? 'none';
    expect(desk.bridge.command.join(' ')).not.toContain(token);
    expect(Object.values(desk.bridge.environment)).toContain(token);
  });

  test('ends when its client does', async () => {
    const { child } = startBridge(await testDesk(await testOffice()));
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('answers with an error if the desk refuses or cannot be reached, or the line is no JSON', async () => {
    const office = await testOffice();
    const desk = await testDesk(office);
    const bridge = startBridge(desk);
    bridge.say('not json');
    expect(await bridge.next()).toMatchObject({ id: null, error: { code: -32_700 } });
    bridge.say(LIST);
    expect(await bridge.next()).toMatchObject({ id: 7, result: { tools: [{ name: 'signal_back' }] } });
    await desk.close();
    bridge.say(LIST);
    expect(await bridge.next()).toMatchObject({ id: 7, error: { message: 'The desk refused it (status 401).' } });
    await office.close();
    bridge.say(LIST);
    expect(await bridge.next()).toMatchObject({ id: 7, error: { message: 'The desk cannot be reached.' } });
  });
});
