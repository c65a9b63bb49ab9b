import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { booksOf } from '../client-home.ts';
import { closeAccount, noteThread, openAccount } from './thread-account.ts';

const root = mkdtempSync(join(tmpdir(), 'codex-account-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const THREAD = '01a1e2b1-d2eb-7f01-b46b-7ec4c26fd44b';
const CHILD = '01a1e2b1-d37e-7302-89e9-28022eedbb26';
const RESUMED = { how: 'resumed', id: THREAD } as const;
const tokens = (input: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: 0,
  output_tokens: output,
});
const usage = (inputTokens: number, outputTokens: number, calls = 0) => ({
  inputTokens,
  outputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  calls,
});

interface Kept {
  readonly home: string;
  readonly call: (turn: string, own: readonly [number, number], all: readonly [number, number]) => void;
}

function keep(home = mkdtempSync(join(root, 'h-')), thread = THREAD): Kept {
  const folder = join(home, '.codex/sessions/2026/11/16');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `rollout-2026-11-16T04-51-07-${thread}.jsonl`);
  const put = (type: string, payload: object): void => {
    const timestamp = '2026-11-16T04:51:07.277Z';
    appendFileSync(path, `${JSON.stringify({ timestamp, ordinal: 0, type, payload })}\n`);
  };
  put('session_meta', { session_id: THREAD, id: thread, agent_nickname: 'Scout' });
  return {
    home,
    call: (turn, own, all) => {
      put('turn_context', { turn_id: turn, model: 'scripted' });
      put('token_usage_record', { thread_id: thread, root_turn_id: turn, usage: tokens(...own) });
      put('event_msg', { type: 'token_count', info: { total_token_usage: tokens(...all) } });
    },
  };
}

test('[A8] that a turn was ended by the engine is known when the next one begins, and no longer', async () => {
  const { home, call } = keep();
  call('one', [100, 5], [100, 5]);
  const first = await openAccount(home, { how: 'new', id: null });
  expect(first.wasEnded).toBe(false);
  expect(await closeAccount(home, first, end({ wasEnded: true }))).toMatchObject({ usage: usage(100, 5, 1) });
  const second = await openAccount(home, RESUMED);
  expect(second.wasEnded).toBe(true);
  await closeAccount(home, second, end({ total: usage(200, 10) }));
  expect((await openAccount(home, RESUMED)).wasEnded).toBe(false);
});

test('[A3] only the new usage of a resumed conversation counts, by what was reported before', async () => {
  const { home, call } = keep();
  call('one', [100, 5], [100, 5]);
  const first = await closeAccount(
    home,
    await openAccount(home, { how: 'new', id: null }),
    end({ total: usage(100, 5) }),
  );
  expect(first).toMatchObject({ usage: usage(100, 5, 1), model: 'scripted', isGuess: false });
  const opened = await openAccount(home, RESUMED);
  call('two', [110, 6], [210, 11]);
  call('two', [120, 7], [330, 18]);
  expect(await closeAccount(home, opened, end({ total: usage(330, 18) }))).toMatchObject({ usage: usage(230, 13, 2) });
  expect(readdirSync(booksOf(home))).toEqual([`${THREAD}.json`]);
});

test('[A3] a first turn that was cut off is counted with the next, calls included', async () => {
  const { home, call } = keep();
  call('one', [100, 5], [100, 5]);
  const opened = await openAccount(home, RESUMED);
  call('two', [110, 6], [210, 11]);
  expect((await closeAccount(home, opened, end({ total: usage(210, 11) }))).usage).toEqual(usage(210, 11, 2));
  const begun = keep();
  await noteThread(begun.home, await openAccount(begun.home, { how: 'new', id: null }), THREAD);
  begun.call('one', [100, 5], [100, 5]);
  const again = await openAccount(begun.home, RESUMED);
  begun.call('two', [110, 6], [210, 11]);
  expect((await closeAccount(begun.home, again, end({}))).usage).toEqual(usage(210, 11, 2));
});

test('[A3] a copy whose first turn was cut off does not count what it was copied from', async () => {
  const { home, call } = keep();
  call('one', [100, 5], [100, 5]);
  const opened = await openAccount(home, { how: 'forked', from: THREAD, id: null });
  const copy = keep(home, CHILD);
  await noteThread(home, opened, CHILD);
  copy.call('two', [110, 6], [210, 11]);
  const again = await openAccount(home, { how: 'resumed', id: CHILD });
  copy.call('three', [120, 7], [330, 18]);
  const closed = await closeAccount(home, again, { ...end({ total: usage(330, 18) }), thread: CHILD });
  expect(closed.usage).toEqual(usage(230, 13, 1));
});

test('a turn without its last line has used what the client noted; the next one does not count it again', async () => {
  const { home, call } = keep();
  call('one', [100, 5], [100, 5]);
  await closeAccount(home, await openAccount(home, { how: 'new', id: null }), end({}));
  const opened = await openAccount(home, RESUMED);
  call('two', [110, 6], [210, 11]);
  expect((await closeAccount(home, opened, end({}))).usage).toEqual(usage(110, 6, 1));
  const next = await openAccount(home, RESUMED);
  call('three', [120, 7], [330, 18]);
  expect((await closeAccount(home, next, end({ total: usage(330, 18) }))).usage).toEqual(usage(120, 7, 1));
});

test('a copy begins with the sum of what it was copied from', async () => {
  const { home, call } = keep();
  call('one', [100, 5], [100, 5]);
  const opened = await openAccount(home, { how: 'forked', from: THREAD, id: null });
  keep(home, CHILD).call('two', [110, 6], [210, 11]);
  const closed = await closeAccount(home, opened, { ...end({ total: usage(210, 11) }), thread: CHILD });
  expect(closed.usage).toEqual(usage(110, 6, 1));
});

test('[Q8] what minions used in the turn is added, by each', async () => {
  const { home, call } = keep();
  const child = keep(home, CHILD);
  child.call('before', [9, 9], [9, 9]);
  const opened = await openAccount(home, { how: 'new', id: null });
  call('one', [100, 5], [100, 5]);
  child.call('one', [40, 2], [49, 11]);
  const closed = await closeAccount(home, opened, end({ total: usage(100, 5), hasMinions: true }));
  expect(closed.usage).toEqual(usage(140, 7, 2));
  expect(closed.minions).toEqual([{ thread: CHILD, name: 'Scout', usage: usage(40, 2, 1) }]);
});

test('unknown earlier usage is reported as unknown', async () => {
  const home = mkdtempSync(join(root, 'h-'));
  const closed = await closeAccount(home, await openAccount(home, RESUMED), end({ total: usage(210, 11) }));
  expect(closed).toMatchObject({ usage: usage(210, 11, 1), isGuess: true });
});

test('[U4] [L8] no note that an agent leaves in its home hides what it uses', async () => {
  const { home, call } = keep();
  call('one', [1000, 50], [1000, 50]);
  await closeAccount(home, await openAccount(home, { how: 'new', id: null }), end({ total: usage(1000, 50) }));
  for (const folder of ['told', 'books', '.books']) {
    mkdirSync(join(home, folder));
    writeFileSync(join(home, folder, `${THREAD}.json`), JSON.stringify(usage(1e9, 1e9)));
  }
  const opened = await openAccount(home, RESUMED);
  call('two', [1000, 50], [2000, 100]);
  const closed = await closeAccount(home, opened, end({ total: usage(2000, 100) }));
  expect(closed.usage).toEqual(usage(1000, 50, 1));
});

test('[L8] only the engine can read its notes', async () => {
  const { home } = keep();
  await closeAccount(home, await openAccount(home, { how: 'new', id: null }), end({ total: usage(1, 1) }));
  expect(statSync(booksOf(home)).mode & 0o777).toBe(0o700);
  expect(readdirSync(home)).toEqual(['.codex']);
});

test('notes that cannot be read are none', async () => {
  const { home } = keep();
  mkdirSync(booksOf(home));
  writeFileSync(join(booksOf(home), `${THREAD}.json`), 'nonsense');
  expect((await openAccount(home, RESUMED)).before).toEqual(usage(0, 0));
});

const end = (change: { total?: ReturnType<typeof usage>; hasMinions?: boolean; wasEnded?: boolean }) => ({
  thread: THREAD,
  total: null,
  hasMinions: false,
  ...change,
});
