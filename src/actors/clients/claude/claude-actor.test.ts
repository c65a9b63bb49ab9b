import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Fault } from '../../../core/fault.ts';
import { placeBeside, testSandbox } from '../../../tools/test-sandbox.ts';
import { sampleRequest } from '../../actor.contract.ts';
import type { ClientOrder } from '../../client-port.ts';
import type { Activity } from '../../../core/agent-fact.ts';
import type { CallOptions } from '../../port.ts';
import { createClaudeActor, type ClaudeOptions } from './claude-actor.ts';

/** Small programs that behave as badly as a client can. */
const openSandbox = testSandbox();
const root = mkdtempSync(join(tmpdir(), 'claude-actor-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const RESULT = '{"type":"result","subtype":"success","is_error":false,"result":"Fine.","usage":{"output_tokens":1}}';

async function callFake(body: string, change: FakeCall = {}) {
  const folder = mkdtempSync(join(root, 'c-'));
  const program = join(folder, 'claude');
  writeFileSync(program, `#!/bin/sh\n${body}\n`);
  chmodSync(program, 0o755);
  mkdirSync(join(folder, 'work'));
  const client: ClientOrder = {
    place: placeBeside(join(folder, 'work')),
    mode: 'write',
    network: false,
    session: { how: 'new', id: randomUUID() },
    unheard: [{ role: 'user', content: 'Go.' }],
    desk: null,
    home: join(folder, 'agents'),
    limits: { idleMs: 60_000, wallMs: 60_000 },
    ...change.order,
  };
  const activities: Activity[] = [];
  const options = { program, openSandbox, environment: { PATH: '/usr/bin:/bin' }, ...change.actor };
  const reply = await createClaudeActor(options).call(sampleRequest({ client }), {
    signal: new AbortController().signal,
    onActivity: (activity) => activities.push(activity),
    ...change.options,
  });
  return { reply, activities, folder };
}

interface FakeCall {
  readonly order?: Partial<ClientOrder>;
  readonly actor?: Partial<ClaudeOptions>;
  readonly options?: Partial<CallOptions>;
}

test('one that prints nothing and exits 0 has crashed', async () => {
  const { reply } = await callFake('exit 0');
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'crash', message: 'Claude Code ended with exit code 0 without a result.' },
  });
});

test('[Q5] one that prints nothing and stays is stuck', async () => {
  const { reply } = await callFake('exec tail -f /dev/null', { order: { limits: { idleMs: 300, wallMs: 60_000 } } });
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'timeout', code: 'CLIENT_STUCK' } });
});

test('[Q5] one that waits while its reply is checked is not stuck', async () => {
  const desk: NonNullable<ClientOrder['desk']> = {
    url: 'http://127.0.0.1:1/mcp',
    headers: {},
    tools: ['signal_back'],
    bridge: { command: [], environment: {}, folders: [] },
    onCheck: (hold) => void hold(),
  };
  const order = { desk, limits: { idleMs: 300, wallMs: 300 } };
  const { reply } = await callFake(`sleep 1; echo '${RESULT}'`, { order });
  expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.' });
});

test('[Q5] one that never stops talking runs into the wall', async () => {
  const { reply } = await callFake('while :; do echo "{\\"type\\":\\"x\\"}"; sleep 0.05; done', {
    order: { limits: { idleMs: 60_000, wallMs: 500 } },
  });
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'timeout', code: 'CLIENT_TIMEOUT' } });
});

test('[A2] one that ignores SIGTERM is gone within five seconds', async () => {
  const controller = new AbortController();
  const before: { at: number } = { at: 0 };
  const onRaw = (): void => {
    before.at = performance.now();
    controller.abort();
  };
  const { reply } = await callFake(
    `trap '' TERM HUP INT; echo '{"type":"system","subtype":"init"}'; while :; do sleep 0.1; done`,
    { options: { signal: controller.signal, onRaw } },
  );
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'cancelled' } });
  expect(performance.now() - before.at).toBeLessThan(5000);
});

test('lines that are none of the protocol are told, and the result counts all the same', async () => {
  const { reply, activities } = await callFake(`echo 'Warning: x'; echo '{"type":'; printf '%s' '${RESULT}'`);
  expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.' });
  expect(activities.at(-1)).toMatchObject({
    kind: 'notice',
    status: 'failed',
    text: expect.stringMatching(/^2 lines/),
  });
});

test('many of them and no result are a crash', async () => {
  const { reply } = await callFake('i=0; while [ $i -lt 50 ]; do echo nonsense; i=$((i+1)); done');
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'crash', message: expect.stringContaining('50 lines') },
  });
});

test('a result and then a bad end is a crash', async () => {
  const { reply } = await callFake(`echo '${RESULT}'; echo 'segfault' >&2; exit 139`);
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'crash', message: 'Claude Code said that it was done, but ended by SIGSEGV: segfault' },
  });
});

test('a question that nobody can answer is answered with no', async () => {
  const ask =
    '{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}';
  const other = '{"type":"control_request","request_id":"o","request":{"subtype":"hook_callback"}}';
  const script = `read -r a; read -r b; echo '${ask}'; read -r answer; echo '${other}'; read -r refused
printf '%s\\n' "$answer" "$refused" > answers; echo '${RESULT}'`;
  const { reply, folder } = await callFake(script);
  expect(reply.kind).toBe('answered');
  const [answer, refused] = readFileSync(join(folder, 'work/answers'), 'utf8').trim().split('\n');
  expect(JSON.parse(answer ?? '')).toMatchObject({ response: { request_id: 'q', response: { behavior: 'deny' } } });
  expect(JSON.parse(refused ?? '')).toMatchObject({ response: { request_id: 'o', subtype: 'error' } });
});

test('[Q5] while a person is asked, a silent one is not stuck', async () => {
  const limits = { idleMs: 2500, wallMs: 2500 };
  const ask =
    '{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}';
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<{ isAllowed: boolean }>();
  const onPermission = () => {
    asked.resolve();
    return answered.promise;
  };
  const script = `read -r a; read -r b; echo '${ask}'; read -r answer; echo '${RESULT}'`;
  const waiting = callFake(script, { order: { limits }, options: { onPermission } });
  await asked.promise;
  // Another one, as silent and for nobody's sake, is stopped meanwhile.
  const stuck = await callFake('exec tail -f /dev/null', { order: { limits } });
  expect(stuck.reply).toMatchObject({ kind: 'failed', failure: { class: 'timeout' } });
  answered.resolve({ isAllowed: true });
  expect((await waiting).reply).toMatchObject({ kind: 'answered' });
});

test('the login goes along and comes back refreshed; nothing of the turn stays in the folder for temporary files', async () => {
  const home = mkdtempSync(join(root, 'user-'));
  mkdirSync(join(home, '.claude'));
  const file = join(home, '.claude/.credentials.json');
  writeFileSync(file, '{"claudeAiOauth":{"accessToken":"old"}}');
  const script = `grep -q old "$CLAUDE_CONFIG_DIR/.credentials.json" || exit 9
echo '{"claudeAiOauth":{"accessToken":"new"}}' > "$CLAUDE_CONFIG_DIR/.credentials.json"
touch -t 203001010000 "$CLAUDE_CONFIG_DIR/.credentials.json"; echo '${RESULT}'`;
  const { reply, folder } = await callFake(script, { actor: { environment: { PATH: '/usr/bin:/bin', HOME: home } } });
  expect(reply.kind).toBe('answered');
  expect(readFileSync(file, 'utf8')).toContain('new');
  expect(readdirSync(join(folder, 'agents/tmp'))).toEqual([]);
});

test('what keeps it from starting is a failure of class config', async () => {
  const missing = await callFake('exit 0', { actor: { program: '/nowhere/claude' } });
  expect(missing.reply).toMatchObject({ kind: 'failed', failure: { class: 'config', code: 'CLIENT_NOT_FOUND' } });
  const refused = await callFake('exit 0', {
    actor: {
      openSandbox: () => Promise.reject(new Fault('SANDBOX_UNAVAILABLE', 'No box.', { hint: 'Get one.' })),
    },
  });
  expect(refused.reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'config', code: 'SANDBOX_UNAVAILABLE', hint: 'Get one.' },
  });
});

test('a signal that fired before starts nothing', async () => {
  const { reply, folder } = await callFake('touch started', { options: { signal: AbortSignal.abort() } });
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'cancelled' } });
  expect(readdirSync(join(folder, 'work'))).toEqual([]);
});
