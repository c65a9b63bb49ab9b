import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { treeId } from '../../../src/core/model/ids.ts';
import { resultAs } from '../../../src/core/look/result-state.ts';
import type { InboxPage } from '../../../src/protocol/web/inbox-page.ts';
import type { RunPage } from '../../../src/protocol/web/run-card.ts';
import { RunWatch } from '../../../src/server/mcp/run-watch.ts';
import { openLiveServer, type LiveServer } from './live-server.ts';
import { TreeFollower } from './tree-follower.ts';
import { answers, asks, calls, said, turns, WrittenRun } from './written-run.ts';

let server: LiveServer;
beforeEach(async () => void (server = await openLiveServer()));
afterEach(() => server.close());

const list = (query = ''): Promise<RunPage> => server.get(`/api/runs${query}`);

/** Once all was read that it takes to know it: a list waits for that a moment only, which may be too short here. */
async function listRead(query = ''): Promise<RunPage> {
  const isRead = async (): Promise<boolean> =>
    (await list()).cards.every(({ details, damage }) => details !== null || damage !== null);
  await expect.poll(isRead, { timeout: 30_000, interval: 20 }).toBe(true);
  return await list(query);
}

const names = (page: RunPage): readonly string[] => page.cards.map(({ run }) => run);

/** One for every column, and a child that is no card. */
async function fillBoard(): Promise<void> {
  const { journal } = server;
  const running = await WrittenRun.begin(journal, 'running-1', { title: 'Fix the tests', workflow: 'fix' });
  await running.add(turns('t1'), answers('t1', 'hello'), calls('t2'));
  await WrittenRun.begin(journal, 'running-1/t2', { parent: 'running-1' });
  const asking = await WrittenRun.begin(journal, 'asking-1', { title: 'Choose a name', project: '/other' });
  await asking.addWith({ status: 'waiting', outcome: null }, asks('t1', 'Which name?'));
  const failed = await WrittenRun.begin(journal, 'failed-1', { title: 'Fix the build' });
  await failed.settle('failed');
  const waiting = await WrittenRun.begin(journal, 'waiting-1');
  const handed = {
    kind: 'delivery.finished',
    workspace: 'main',
    tree: treeId('t1'),
    how: 'branch',
    by: 'ada',
  } as const;
  await waiting.settle();
  await waiting.addWith({ status: 'settled', outcome: 'ok', result: resultAs('branch') }, handed);
  const done = await WrittenRun.begin(journal, 'done-1');
  await done.settle();
  const stopped = await WrittenRun.begin(journal, 'stopped-1');
  await stopped.release();
}

test('[U2] [WL10] the board has a card for each root run, the newest first, each in its column', async () => {
  await fillBoard();
  const page = await listRead();
  expect(page.cards.map(({ run, column, status }) => [run, column, status])).toEqual([
    ['stopped-1', 'needs-you', 'stopped'],
    ['done-1', 'done', 'settled'],
    ['waiting-1', 'ready', 'settled'],
    ['failed-1', 'failed', 'settled'],
    ['asking-1', 'needs-you', 'waiting'],
    ['running-1', 'running', 'running'],
  ]);
  expect(page).toMatchObject({
    counts: { running: 1, 'needs-you': 2, ready: 1, failed: 1, done: 1 },
    next: null,
  });
  expect(page.cards.at(-1)?.details).toMatchObject({ costUsd: 0.5, agents: ['coder'], state: 'first' });
  expect(page.cards.find(({ run }) => run === 'waiting-1')?.result.state).toBe('waiting');
});

test('[U2] [WL10] a search, a filter and a column choose cards, and the counts go with the search and the filters', async () => {
  await fillBoard();
  const fix = await list('?text=FIX%20the');
  expect(names(fix)).toEqual(['failed-1', 'running-1']);
  expect(fix.counts).toEqual({ running: 1, 'needs-you': 0, ready: 0, failed: 1, done: 0 });
  expect(names(await list('?workflow=fix'))).toEqual(['running-1']);
  expect(names(await list('?project=%2Fother'))).toEqual(['asking-1']);
  const ready = await listRead('?column=ready');
  expect(names(ready)).toEqual(['waiting-1']);
  expect(ready.counts).toMatchObject({ running: 1, failed: 1 });
  expect(names(await listRead('?column=failed'))).toEqual(['failed-1']);
  expect(names(await list('?text=nowhere'))).toEqual([]);
});

test('[U2] [WL9] the board comes in pages, and a run that begins meanwhile disturbs none of them', async () => {
  const { journal } = server;
  for (let count = 1; count <= 7; count += 1) await (await WrittenRun.begin(journal, `r${count}`)).settle();
  const first = await list('?limit=3');
  expect([names(first), first.next]).toEqual([['r7', 'r6', 'r5'], 'r5']);
  await WrittenRun.begin(journal, 'r8');
  const second = await list(`?limit=3&after=${first.next}`);
  expect([names(second), second.next]).toEqual([['r4', 'r3', 'r2'], 'r2']);
  const third = await list(`?limit=3&after=${second.next}`);
  expect([names(third), third.next]).toEqual([['r1'], null]);
  const done = await list('?limit=3&column=done&after=r3');
  expect([names(done), done.next]).toEqual([['r2', 'r1'], null]);
});

test('[J4] [WL12] a damaged run is a card that says so, and hides no other', async () => {
  const spoilt = await WrittenRun.begin(server.journal, 'spoilt');
  await spoilt.add(said('spoilt'));
  await WrittenRun.begin(server.journal, 'sound');
  const database = new DatabaseSync(join(server.home, 'journal.db'), { timeout: 5000 });
  database.exec(`UPDATE records SET body = replace(body, 'spoilt', 'broken') WHERE body LIKE '%message.added%'`);
  database.close();
  const page = await listRead();
  expect(page.cards.map(({ run, details, damage }) => [run, details === null, damage])).toEqual([
    ['sound', false, null],
    ['spoilt', true, 'Record 3 of run spoilt is damaged.'],
  ]);
});

test(
  '[U2] [WL9] the first answer does not wait for a long run: its details come on the stream',
  { timeout: 60_000 },
  async () => {
    const long = await WrittenRun.begin(server.journal, 'long');
    for (let count = 0; count < 20; count += 1) {
      await long.add(...Array.from({ length: 1000 }, (_, index) => said(`${count} ${index}`)));
    }
    await long.settle();
    const follower = await TreeFollower.open(server.url, { cards: true, after: {} });
    await follower.until(() => follower.card('long')?.details != null);
    expect(follower.card('long')).toMatchObject({ column: 'done', seq: 20_003, details: { state: 'first' } });
    follower.close();
  },
);

test('[U2] [WL11] the inbox has the questions of all runs, also of those below, the oldest first', async () => {
  await fillBoard();
  const child = await WrittenRun.begin(server.journal, 'running-1/t3', { parent: 'running-1' });
  const root: InboxPage = await server.get('/api/questions');
  expect(root.questions.map(({ run, title, question }) => [run, title, question.name])).toEqual([
    ['asking-1', 'Choose a name', 'q1'],
  ]);
  expect(child.seq).toBe(2);
  const asking = await WrittenRun.begin(server.journal, 'parent-1');
  await asking.add(calls('t9'));
  const below = await WrittenRun.begin(server.journal, 'parent-1/t9', { parent: 'parent-1' });
  await below.add(said('…'), said('…'));
  await below.addWith({ status: 'waiting', outcome: null }, asks('t1', 'And now?'));
  const inbox: InboxPage = await server.get('/api/questions');
  expect(inbox.questions.map(({ run, question }) => [run, question.id, question.text])).toEqual([
    ['asking-1', 't1', 'Which name?'],
    ['parent-1', 't9/t1', 'And now?'],
  ]);
  await below.add({ kind: 'question.answered', question: 't1', answer: 'yes', by: 'ada' });
  await below.settle();
  expect((await server.get<InboxPage>('/api/questions')).questions).toHaveLength(1);
});

/** A real repository with a branch for each of these runs, whose results were delivered there. */
async function deliver(...runs: readonly string[]): Promise<(...args: readonly string[]) => void> {
  const project = join(server.home, 'project');
  mkdirSync(project);
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@localhost', ...args], {
      cwd: project,
      stdio: 'ignore',
    });
  git('init', '-b', 'main');
  git('commit', '--allow-empty', '-m', 'before');
  for (const name of runs) {
    const where = `troupe/${name}`;
    git('checkout', '-b', where, 'main');
    writeFileSync(join(project, `${name}.txt`), 'made by the run');
    git('add', '-A');
    git('commit', '-m', name);
    const run = await WrittenRun.begin(server.journal, name, { project });
    await run.settle();
    const branch = { kind: 'delivery.finished', workspace: 'main', tree: treeId('t1'), how: 'branch', where } as const;
    const result = resultAs('branch', { where });
    await run.addWith({ status: 'settled', outcome: 'ok', result }, { ...branch, by: 'ada' });
    await run.release();
  }
  git('checkout', 'main');
  return git;
}

async function standings(): Promise<Readonly<Record<string, unknown>>> {
  const { cards } = await listRead();
  const seen = cards.map(({ run, column, result }) => [run, [column, result.state, result.kind]]);
  return Object.fromEntries(seen) as Readonly<Record<string, unknown>>;
}

test('[U2] [R1] a branch that was merged or deleted by hand waits no more, on the board and for agents', async () => {
  const git = await deliver('merged', 'copied', 'deleted', 'kept');
  const waits = ['ready', 'waiting', 'branch'];
  expect(await standings()).toEqual({ merged: waits, copied: waits, deleted: waits, kept: waits });
  const agents = new RunWatch(server);
  expect((await agents.report('merged')).next).toContain('not in the project yet');
  const follower = await TreeFollower.open(server.url, { cards: true, after: {} });
  git('merge', '--no-ff', '-m', 'take', 'troupe/merged');
  git('branch', '-D', 'troupe/deleted');
  expect(await standings()).toEqual({
    merged: ['done', 'delivered', 'merged'],
    copied: waits,
    deleted: ['done', 'delivered', 'branch-gone'],
    kept: waits,
  });
  await follower.until(() => follower.card('merged')?.column === 'done');
  follower.close();
  expect((await agents.report('merged')).next).toBe('run_result returns its result.');
  expect((await agents.report('kept')).next).toContain('not in the project yet');
  git('reset', '--hard', 'HEAD^');
  expect((await standings())['merged']).toEqual(waits);
  git('merge', '--squash', 'troupe/copied');
  git('commit', '-m', 'the same files another way');
  expect((await standings())['copied']).toEqual(['done', 'delivered', 'merged']);
});
