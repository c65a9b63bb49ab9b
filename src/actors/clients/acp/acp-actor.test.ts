import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Fault } from '../../../core/fault.ts';
import { placeBeside, testSandbox } from '../../../tools/test-sandbox.ts';
import { sampleRequest, sampleRole } from '../../actor.contract.ts';
import type { ClientOrder } from '../../client-port.ts';
import type { CallOptions } from '../../port.ts';
import { createAcpActor, type AcpOptions } from './acp-actor.ts';
import { plainAgent } from './acp-agent.ts';

/** Small programs that behave as badly as an agent can. */
const openSandbox = testSandbox();
const root = mkdtempSync(join(tmpdir(), 'acp-actor-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface FakeCall {
  readonly order?: Partial<ClientOrder>;
  readonly actor?: Partial<AcpOptions>;
  readonly options?: Partial<CallOptions>;
  readonly ask?: readonly string[];
}

async function callFake(body: string, change: FakeCall = {}) {
  const folder = mkdtempSync(join(root, 'c-'));
  const program = join(folder, 'agent');
  writeFileSync(program, `#!/bin/sh\n${body}\n`);
  chmodSync(program, 0o755);
  mkdirSync(join(folder, 'work'));
  const client: ClientOrder = {
    place: placeBeside(join(folder, 'work')),
    mode: 'write',
    network: false,
    session: { how: 'new', id: null },
    unheard: [{ role: 'user', content: 'Go.' }],
    desk: null,
    home: join(folder, 'agents'),
    limits: { idleMs: 60_000, wallMs: 60_000 },
    ...change.order,
  };
  const actor = createAcpActor({
    agent: plainAgent({ name: 'fake', command: [program] }),
    command: [program],
    openSandbox,
    environment: { PATH: '/usr/bin:/bin' },
    ...change.actor,
  });
  const request = sampleRequest({ client, role: { ...sampleRole, ask: change.ask ?? [] } });
  const reply = await actor.call(request, { signal: new AbortController().signal, ...change.options });
  return { reply, folder };
}

const answer = (id: number, result: string): string =>
  `read -r line; echo '{"jsonrpc":"2.0","id":${id},"result":${result}}'`;
const GREETING = answer(0, '{"protocolVersion":1}');
const OPENED = answer(1, '{"sessionId":"s"}');
const SAID =
  'echo \'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Fine."}}}}\'';
const ENDED = 'echo \'{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}\'';
const ASKS =
  'echo \'{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t","kind":"execute"},"options":[{"optionId":"y","kind":"allow_once"}]}}\'';

test('one that prints nothing and exits 0 has crashed', async () => {
  const { reply } = await callFake('exit 0');
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'crash', message: 'Agent fake ended with exit code 0 without a result.' },
  });
});

test('[Q5] one that prints nothing and stays is stuck', async () => {
  const { reply } = await callFake('exec tail -f /dev/null', { order: { limits: { idleMs: 300, wallMs: 60_000 } } });
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'timeout', code: 'CLIENT_STUCK' } });
});

test('[Q5] one that never stops talking runs into the wall', async () => {
  const { reply } = await callFake(
    'while :; do echo "{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"x\\"}"; sleep 0.05; done',
    {
      order: { limits: { idleMs: 60_000, wallMs: 500 } },
    },
  );
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'timeout', code: 'CLIENT_TIMEOUT' } });
});

test('many lines that are none of the protocol and no answer are a crash', async () => {
  const { reply } = await callFake('i=0; while [ $i -lt 50 ]; do echo nonsense; i=$((i+1)); done');
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'crash', message: expect.stringContaining('50 lines') },
  });
});

test('the least that an agent can say is enough', async () => {
  const { reply } = await callFake(`${GREETING}; ${OPENED}; read -r order; ${SAID}; ${ENDED}; read -r end; exit 0`);
  expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.', usage: { calls: 1 }, costUsd: null });
});

test('one that begins a conversation without a name is not spoken with', async () => {
  const { reply } = await callFake(`${GREETING}; ${answer(1, '{}')}; read -r end; exit 0`);
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'crash', code: 'CLIENT_FAILED' } });
});

test('[Q5] while a person is asked nobody is stuck', async () => {
  const limits = { idleMs: 700, wallMs: 700 };
  const permission = Promise.withResolvers<{ isAllowed: boolean }>();
  const asking = callFake(`${GREETING}; ${OPENED}; read -r order; ${ASKS}; read -r reply; ${SAID}; ${ENDED}`, {
    order: { limits },
    ask: ['execute_terminal'],
    options: { onPermission: () => permission.promise },
  });
  const silent = await callFake('exec tail -f /dev/null', { order: { limits: { ...limits, wallMs: 60_000 } } });
  expect(silent.reply).toMatchObject({ kind: 'failed', failure: { code: 'CLIENT_STUCK' } });
  permission.resolve({ isAllowed: true });
  expect((await asking).reply).toMatchObject({ kind: 'answered', content: 'Fine.' });
});

test('a question that is still open when the turn is cancelled is answered as such', async () => {
  const controller = new AbortController();
  const { reply, folder } = await callFake(
    `${GREETING}; ${OPENED}; read -r order; ${ASKS}; read -r one; read -r other; printf '%s\\n' "$one" "$other" > answers`,
    {
      ask: ['execute_terminal'],
      options: {
        signal: controller.signal,
        onPermission: async () => {
          controller.abort();
          return await new Promise(() => undefined);
        },
      },
    },
  );
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'cancelled' } });
  const lines = readFileSync(join(folder, 'work/answers'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } },
      { jsonrpc: '2.0', id: 'q', result: { outcome: { outcome: 'cancelled' } } },
    ]),
  );
});

test('the login goes along and comes back refreshed', async () => {
  const home = mkdtempSync(join(root, 'user-'));
  mkdirSync(join(home, '.fake'));
  const file = join(home, '.fake/auth.json');
  writeFileSync(file, '{"token":"old"}');
  const agent = { ...plainAgent({ name: 'fake', command: [] }), loginFiles: [{ path: '.fake/auth.json' }] };
  const script = `grep -q old "$HOME/.fake/auth.json" || exit 9
echo '{"token":"new"}' > "$HOME/.fake/auth.json"; touch -t 203001010000 "$HOME/.fake/auth.json"
${GREETING}; ${OPENED}; read -r order; ${SAID}; ${ENDED}`;
  const { reply } = await callFake(script, { actor: { agent, environment: { PATH: '/usr/bin:/bin', HOME: home } } });
  expect(reply).toMatchObject({ kind: 'answered' });
  expect(readFileSync(file, 'utf8')).toContain('new');
});

test('what keeps it from starting is a failure of class config', async () => {
  const refused = await callFake('exit 0', {
    actor: { openSandbox: () => Promise.reject(new Fault('SANDBOX_UNAVAILABLE', 'No box.', { hint: 'Get one.' })) },
  });
  expect(refused.reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'config', code: 'SANDBOX_UNAVAILABLE', hint: 'Get one.' },
  });
});
