import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ClientOrder } from '../../port.ts';
import { fakeClients } from '../testing/fake-clients.ts';
import { createClaudeActor, type ClaudeOptions } from './claude-actor.ts';

const { root, callFake } = fakeClients<ClaudeOptions>('claude-actor', (fake, change) =>
  createClaudeActor({ ...fake, ...change }),
);

const RESULT = '{"type":"result","subtype":"success","is_error":false,"result":"Fine.","usage":{"output_tokens":1}}';

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

test('lines outside the protocol are reported, and the result still counts', async () => {
  const { reply, activities } = await callFake(`echo 'Warning: x'; echo '{"type":'; printf '%s' '${RESULT}'`);
  expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.' });
  expect(activities.at(-1)).toMatchObject({
    kind: 'notice',
    status: 'failed',
    text: expect.stringMatching(/^2 lines/),
  });
});

test('a result and then a bad end is a crash', async () => {
  const { reply } = await callFake(`echo '${RESULT}'; echo 'segfault' >&2; exit 139`);
  expect(reply).toMatchObject({
    kind: 'failed',
    failure: { class: 'crash', message: 'Claude Code said that it was done, but ended by SIGSEGV: segfault' },
  });
});

test('a question without anyone to answer it is answered with no', async () => {
  const ask =
    '{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}';
  const other = '{"type":"control_request","request_id":"o","request":{"subtype":"mcp_message"}}';
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
  // A second one, just as silent, is stopped meanwhile.
  const stuck = await callFake('exec tail -f /dev/null', { order: { limits } });
  expect(stuck.reply).toMatchObject({ kind: 'failed', failure: { class: 'timeout' } });
  answered.resolve({ isAllowed: true });
  expect((await waiting).reply).toMatchObject({ kind: 'answered' });
});

test('[L8] the login is copied; an unreadable other one stays where it is and is reported once; nothing of the turn stays', async () => {
  const home = mkdtempSync(join(root, 'user-'));
  mkdirSync(join(home, '.claude'));
  const file = join(home, '.claude/.credentials.json');
  writeFileSync(file, '{"claudeAiOauth":{"accessToken":"old"}}');
  const script = `grep -q old "$CLAUDE_CONFIG_DIR/.credentials.json" || exit 9
echo '{"claudeAiOauth":{"accessToken":"new"}}' > "$CLAUDE_CONFIG_DIR/.credentials.json"
touch -t 203001010000 "$CLAUDE_CONFIG_DIR/.credentials.json"; echo '${RESULT}'`;
  const actor = { environment: { PATH: '/usr/bin:/bin', HOME: home } };
  const { reply, folder, activities } = await callFake(script, { actor });
  expect(reply.kind).toBe('answered');
  expect(readFileSync(file, 'utf8')).toContain('old');
  expect(activities).toMatchObject([{ kind: 'notice', text: expect.stringContaining('yours was not changed') }]);
  expect((await callFake(script, { actor })).activities).toEqual([]);
  expect(readdirSync(join(folder, 'agents/tmp'))).toEqual([]);
  expect(readdirSync(folder).filter((name) => name.startsWith('agents.'))).toEqual([]);
});
