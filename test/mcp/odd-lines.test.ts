import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scriptedProject } from '../cli/projects.ts';
import { PROGRAM } from '../cli/sandbox.ts';

vi.setConfig({ testTimeout: 120_000 });

interface Answer {
  readonly id: string | number | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** `troupe mcp` as a separate process, and a caller that says whatever it likes. */
function rawMcp() {
  const sandbox = scriptedProject();
  const child = spawn(process.execPath, [PROGRAM, 'mcp'], {
    cwd: sandbox.project,
    env: { PATH: process.env['PATH'], HOME: sandbox.home, TROUPE_HOME: sandbox.home, TROUPE_SANDBOX: 'best' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    say: async (text: string | Buffer) => {
      if (!child.stdin.write(text)) await once(child.stdin, 'drain');
    },
    next: async (): Promise<Answer> => JSON.parse(String((await lines.next()).value)) as Answer,
  };
}

type Raw = ReturnType<typeof rawMcp>;

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

async function opened(): Promise<Raw> {
  const raw = rawMcp();
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  await raw.say(line({ id: 'hello', method: 'initialize', params }));
  expect(await raw.next()).toMatchObject({ id: 'hello', result: { serverInfo: { name: 'troupe' } } });
  await raw.say(line({ method: 'notifications/initialized' }));
  return raw;
}

/** The most memory it ever had, in megabytes; null where the system does not tell. */
function mostMegabytes({ child }: Raw): number | null {
  const file = `/proc/${child.pid}/status`;
  const kilobytes = existsSync(file) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

test('[U9] a line of 256 megabytes, half of one and bytes that are no text are errors, and the conversation goes on', async () => {
  const raw = await opened();
  const before = mostMegabytes(raw) ?? 0;
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  for (let count = 0; count < 256; count += 1) await raw.say(megabyte);
  await raw.say('\n');
  expect(await raw.next()).toMatchObject({
    id: null,
    error: { code: -32_600, message: expect.stringContaining('8388608') },
  });
  await raw.say(Buffer.from([0xc3, 0x28, 0x0a]));
  expect(await raw.next()).toMatchObject({ id: null, error: { code: -32_700, message: 'A line is not UTF-8.' } });
  await raw.say('{"jsonrpc":"2.0","id":1,"meth\n');
  expect(await raw.next()).toMatchObject({ id: null, error: { code: -32_700, message: 'A line is not JSON.' } });
  await raw.say(`${'['.repeat(1_000_000)}\n`);
  expect(await raw.next()).toMatchObject({ id: null, error: { code: -32_700 } });
  const text = 'x'.repeat(4 * 1024 * 1024);
  await raw.say(
    line({
      id: 2,
      method: 'tools/call',
      params: { name: 'answer_question', arguments: { run: 'a', question: 'q1', text } },
    }),
  );
  expect(await raw.next()).toMatchObject({
    id: 2,
    result: { isError: true, content: [{ text: expect.stringContaining('REQUEST_INVALID') }] },
  });
  await raw.say(line({ id: 3, method: 'ping' }));
  expect(await raw.next()).toMatchObject({ id: 3, result: {} });
  // Far below what was sent: nothing of it is kept.
  expect((mostMegabytes(raw) ?? 0) - before).toBeLessThan(240);
});

test('[U9] of ten thousand requests at once each has one answer, those that are too many an error that says so', async () => {
  const raw = await opened();
  const COUNT = 10_000;
  const ask = (id: number): string =>
    line({ id, method: 'tools/call', params: { name: 'run_status', arguments: { run: 'nothing' } } });
  const said = raw.say(Array.from({ length: COUNT }, (_, id) => ask(id)).join(''));
  const answers: Answer[] = [];
  while (answers.length < COUNT) answers.push(await raw.next());
  await said;
  expect(new Set(answers.map(({ id }) => id)).size).toBe(COUNT);
  const refused = answers.filter(({ error }) => error !== undefined);
  expect(refused.every(({ error }) => error?.code === -32_000 && error.message.startsWith('SERVER_BUSY'))).toBe(true);
  const served = answers.filter(({ result }) => result !== undefined);
  expect(served.length).toBeGreaterThanOrEqual(1000);
  for (const { result } of served)
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('RUN_UNKNOWN') }] });
  await raw.say(ask(COUNT));
  expect(await raw.next()).toMatchObject({ id: COUNT, result: { isError: true } });
  raw.child.stdin.end();
  expect(await once(raw.child, 'exit')).toEqual([0, null]);
});

test('[U9] it ends when the caller takes no more answers, though its input is open', async () => {
  const raw = await opened();
  const gone = once(raw.child, 'exit');
  raw.child.stdin.on('error', () => undefined);
  raw.child.stdout.destroy();
  raw.child.stdin.write(line({ id: 1, method: 'ping' }));
  expect(await gone).toEqual([0, null]);
});
