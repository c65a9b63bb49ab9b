import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClients } from '../testing/fake-clients.ts';
import { createCodexActor, type CodexOptions } from './codex-actor.ts';

const { root, callFake } = fakeClients<CodexOptions>('codex-actor', (fake, change) =>
  createCodexActor({ ...fake, ...change }),
);

const THREAD = '01a1e2b1-d2eb-7f01-b46b-7ec4c26fd44b';
const OTHER = '01a1e2b1-d37e-7302-89e9-28022eedbb26';
const STARTED = `{"type":"thread.started","thread_id":"${THREAD}"}`;
const SAID = '{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"Fine."}}';
const COMPLETED = '{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":1}}';
const WELL = `cat > heard; echo '${STARTED}'; echo '${SAID}'; printf '%s' '${COMPLETED}'`;

test('the prompt goes through its input, and its conversation is reported', async () => {
  const { reply, sessions, folder } = await callFake(WELL);
  expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.', usage: { inputTokens: 10, calls: 1 } });
  expect(sessions).toEqual([THREAD]);
  expect(readFileSync(join(folder, 'work/heard'), 'utf8')).toBe('Go.\n');
});

test('a last line and then a bad end is a crash', async () => {
  const { reply } = await callFake(`${WELL}; echo 'segfault' >&2; exit 139`);
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'crash', message: 'Codex said that it was done, but ended by SIGSEGV: segfault' },
  });
});

test('lines outside the protocol are reported, and the turn still counts', async () => {
  const { reply, activities } = await callFake(`echo 'Warning: x'; echo '{"type":'; ${WELL}`);
  expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.' });
  expect(activities).toContainEqual(
    expect.objectContaining({ kind: 'notice', text: expect.stringMatching(/^2 lines/) }),
  );
});

test('[Q4] another conversation than the one asked for is a lost session, and is ended at once', async () => {
  const session = { how: 'resumed', id: OTHER } as const;
  const { reply, sessions } = await callFake(`echo '${STARTED}'; exec tail -f /dev/null`, { order: { session } });
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'session', code: 'SESSION_LOST' } });
  expect(sessions).toEqual([]);
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
  const token = (exp: number): string => `e30.${btoa(JSON.stringify({ sub: 'ann', exp }))}.c2ln`;
  const [old, fresh] = [token(1), token(4_000_000_000)];
  writeFileSync(file, JSON.stringify({ tokens: { access_token: old } }));
  const home = join(user, 'agents');
  mkdirSync(join(home, '.codex'), { recursive: true });
  writeFileSync(join(home, '.codex/config.toml'), 'model = "planted"');
  const script = `grep -q ${old} "$CODEX_HOME/auth.json" || exit 9; test -e "$CODEX_HOME/config.toml" && exit 8
test -n "$CODEX_API_KEY" && exit 7
echo '{"tokens":{"access_token":"${fresh}"}}' > "$CODEX_HOME/auth.json"; touch -t 203001010000 "$CODEX_HOME/auth.json"; ${WELL}`;
  const environment = { PATH: '/usr/bin:/bin', HOME: user, OPENAI_API_KEY: 'sk-x' };
  const { reply } = await callFake(script, { actor: { environment }, order: { home } });
  expect(reply).toMatchObject({ kind: 'answered' });
  expect(readFileSync(file, 'utf8')).toContain(fresh);
});

test('a key without a login goes by the name that the client knows', async () => {
  const environment = { PATH: '/usr/bin:/bin', HOME: root, OPENAI_API_KEY: 'sk-x' };
  const { reply } = await callFake(`test "$CODEX_API_KEY" = sk-x || exit 9; ${WELL}`, { actor: { environment } });
  expect(reply).toMatchObject({ kind: 'answered' });
});
