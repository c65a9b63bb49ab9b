import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Activity } from '../../../core/agent-fact.ts';
import { placeBeside, testSandbox } from '../../../tools/test-sandbox.ts';
import { sampleRequest } from '../../actor.contract.ts';
import type { ClientOrder } from '../../client-port.ts';
import type { CallOptions } from '../../port.ts';
import { createCodexActor, type CodexOptions } from './codex-actor.ts';

/** Small programs that behave as badly as a client can. */
const openSandbox = testSandbox();
const root = mkdtempSync(join(tmpdir(), 'codex-actor-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const THREAD = '01a1e2b1-d2eb-7f01-b46b-7ec4c26fd44b';
const OTHER = '01a1e2b1-d37e-7302-89e9-28022eedbb26';
const STARTED = `{"type":"thread.started","thread_id":"${THREAD}"}`;
const SAID = '{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"Fine."}}';
const COMPLETED = '{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":1}}';
const WELL = `cat > heard; echo '${STARTED}'; echo '${SAID}'; printf '%s' '${COMPLETED}'`;

interface FakeCall {
  readonly order?: Partial<ClientOrder>;
  readonly actor?: Partial<CodexOptions>;
  readonly options?: Partial<CallOptions>;
}

async function callFake(body: string, change: FakeCall = {}) {
  const folder = mkdtempSync(join(root, 'c-'));
  const program = join(folder, 'codex');
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
  const activities: Activity[] = [];
  const ids: string[] = [];
  const environment = { PATH: '/usr/bin:/bin', HOME: join(folder, 'nobody') };
  const reply = await createCodexActor({ program, openSandbox, environment, ...change.actor }).call(
    sampleRequest({ client }),
    {
      signal: new AbortController().signal,
      onActivity: (activity) => activities.push(activity),
      onSession: async (id) => void ids.push(id),
      ...change.options,
    },
  );
  return { reply, activities, ids, folder };
}

test('what is to be said comes over its input, and its conversation is told', async () => {
  const { reply, ids, folder } = await callFake(WELL);
  expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.', usage: { inputTokens: 10, calls: 1 } });
  expect(ids).toEqual([THREAD]);
  expect(readFileSync(join(folder, 'work/heard'), 'utf8')).toBe('Go.\n');
});

test('one that prints nothing and exits 0 has crashed', async () => {
  const { reply } = await callFake('exit 0');
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'crash', message: 'Codex ended with exit code 0 without a result.' },
  });
});

test('[Q5] one that prints nothing and stays is stuck', async () => {
  const { reply } = await callFake('exec tail -f /dev/null', { order: { limits: { idleMs: 300, wallMs: 60_000 } } });
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'timeout', code: 'CLIENT_STUCK' } });
});

test('a last line and then a bad end is a crash', async () => {
  const { reply } = await callFake(`${WELL}; echo 'segfault' >&2; exit 139`);
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'crash', message: 'Codex said that it was done, but ended by SIGSEGV: segfault' },
  });
});

test('lines that are none of the protocol are told, and the turn counts all the same', async () => {
  const { reply, activities } = await callFake(`echo 'Warning: x'; echo '{"type":'; ${WELL}`);
  expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.' });
  expect(activities).toContainEqual(
    expect.objectContaining({ kind: 'notice', text: expect.stringMatching(/^2 lines/) }),
  );
});

test('[Q4] another conversation than the one asked for is a lost session, and is ended at once', async () => {
  const session = { how: 'resumed', id: OTHER } as const;
  const { reply, ids } = await callFake(`echo '${STARTED}'; exec tail -f /dev/null`, { order: { session } });
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'session', code: 'SESSION_LOST' } });
  expect(ids).toEqual([]);
});

test('[Q5] the first refusal of a login is enough', async () => {
  const error = '{"type":"error","message":"Reconnecting... 1/5 (unexpected status 401 Unauthorized: No., url: x)"}';
  const { reply } = await callFake(`echo '${STARTED}'; echo '${error}'; exec tail -f /dev/null`);
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'auth', code: 'AUTH_FAILED', hint: expect.stringContaining('codex login') },
  });
});

test('a conversation whose id cannot be kept is not gone on with', async () => {
  const onSession = (): Promise<void> => Promise.reject(new Error('The disk is full.'));
  const { reply } = await callFake(`echo '${STARTED}'; exec tail -f /dev/null`, { options: { onSession } });
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'cancelled' } });
});

test('the login goes along and comes back refreshed; settings that an agent planted are gone', async () => {
  const user = mkdtempSync(join(root, 'user-'));
  const file = join(user, '.codex/auth.json');
  mkdirSync(join(user, '.codex'));
  writeFileSync(file, '{"tokens":{"access_token":"old"}}');
  const home = join(user, 'agents');
  mkdirSync(join(home, '.codex'), { recursive: true });
  writeFileSync(join(home, '.codex/config.toml'), 'model = "planted"');
  const script = `grep -q old "$CODEX_HOME/auth.json" || exit 9; test -e "$CODEX_HOME/config.toml" && exit 8
test -n "$CODEX_API_KEY" && exit 7
echo '{"tokens":{"access_token":"new"}}' > "$CODEX_HOME/auth.json"; touch -t 203001010000 "$CODEX_HOME/auth.json"; ${WELL}`;
  const environment = { PATH: '/usr/bin:/bin', HOME: user, OPENAI_API_KEY: 'sk-x' };
  const { reply } = await callFake(script, { actor: { environment }, order: { home } });
  expect(reply).toMatchObject({ kind: 'answered' });
  expect(readFileSync(file, 'utf8')).toContain('new');
});

test('a key without a login goes by the name that the client knows', async () => {
  const environment = { PATH: '/usr/bin:/bin', HOME: root, OPENAI_API_KEY: 'sk-x' };
  const { reply } = await callFake(`test "$CODEX_API_KEY" = sk-x || exit 9; ${WELL}`, { actor: { environment } });
  expect(reply).toMatchObject({ kind: 'answered' });
});

test('what keeps it from starting is a failure of class config; a signal that fired before starts nothing', async () => {
  const missing = await callFake('exit 0', { actor: { program: '/nowhere/codex' } });
  expect(missing.reply).toMatchObject({ kind: 'failed', failure: { class: 'config', code: 'CLIENT_NOT_FOUND' } });
  const { reply, folder } = await callFake('touch started', { options: { signal: AbortSignal.abort() } });
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'cancelled' } });
  expect(existsSync(join(folder, 'work/started'))).toBe(false);
});
