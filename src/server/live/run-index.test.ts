import { beforeEach, expect, test } from 'vitest';
import { runId, type RunId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal, RunFilter, RunSummary } from '../../journal/port.ts';
import { RunIndex } from './run-index.ts';

const dead = new Set<string>();
let journal: Journal;
let index: RunIndex;
let changes: string[][];
/** How much of the list was asked for each time. */
let asked: (number | undefined)[];

beforeEach(() => {
  dead.clear();
  journal = createMemoryJournal({ isAlive: (owner) => !dead.has(owner) });
  changes = [];
  asked = [];
  index = new RunIndex({
    run: (run) => journal.run(run),
    runs: (filter?: RunFilter) => {
      asked.push(filter?.limit);
      return journal.runs(filter);
    },
  });
  index.onChange((changed) => changes.push([...changed]));
});

async function begin(name: string, owner = 'host'): Promise<(summary: RunSummary) => Promise<void>> {
  const parent = name.includes('/') ? runId(name.slice(0, name.lastIndexOf('/'))) : null;
  const run = { run: runId(name), parent, workflow: 'w', project: '/p', title: '', at: 1 };
  const lease = await journal.create(run, owner);
  let seq = 0;
  return async (summary) => {
    const record = { seq: (seq += 1), at: seq, fact: { kind: 'run.resumed', epoch: 1 } } as const;
    await journal.append(lease, { records: [record], summary });
  };
}

const names = (runs: readonly { readonly run: RunId }[]): readonly string[] => runs.map(({ run }) => run);
const RUNNING: RunSummary = { status: 'running', outcome: null };

test('[U2] the whole list is read once; then only its end, and those that are not over', async () => {
  const settle = await begin('a');
  await settle({ status: 'settled', outcome: 'ok' });
  for (let count = 0; count < 20; count += 1) await begin(`old-${count}`);
  await index.survey();
  expect(asked).toEqual([undefined]);
  expect(changes).toEqual([]);
  for (let count = 0; count < 5; count += 1) await begin(`new-${count}`);
  await index.discover();
  expect(asked).toEqual([undefined, 1, 8]);
  expect(changes).toEqual([['new-0', 'new-1', 'new-2', 'new-3', 'new-4']]);
  await index.discover();
  expect(asked).toEqual([undefined, 1, 8, 1]);
  expect(changes).toHaveLength(1);
});

test('[U2] runs that moved, or whose process ended, are reported', async () => {
  const [a] = [await begin('a', 'one'), await begin('b', 'two')];
  await index.survey();
  await a(RUNNING);
  await index.survey();
  dead.add('two');
  await index.survey();
  await index.survey();
  expect(changes).toEqual([['a'], ['b']]);
  expect(index.info(runId('b'))).toMatchObject({ driven: false });
});

test('[U2] a tree is listed parents first, roots newest first', async () => {
  for (const name of ['a', 'b', 'a/t1', 'a/t1/t2', 'b/t1', 'a/t3']) await begin(name);
  await index.survey();
  expect(names(index.roots())).toEqual(['b', 'a']);
  expect(names(index.tree(runId('a')))).toEqual(['a', 'a/t1', 'a/t1/t2', 'a/t3']);
  expect(index.tree(runId('nobody'))).toEqual([]);
});

test('[U2] who asks for a run that just began hides none that began before it', async () => {
  await begin('a');
  await index.survey();
  for (const name of ['b', 'b/t1', 'c']) await begin(name);
  await index.look([runId('c'), runId('nobody')]);
  expect(changes).toEqual([['b', 'b/t1', 'c']]);
  await index.discover();
  expect(names(index.roots())).toEqual(['c', 'b', 'a']);
});

test('[U2] an answer of the journal that comes late takes back nothing that was learned since', async () => {
  const move = await begin('a');
  await move(RUNNING);
  const [read, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isLate = false;
  const runs = async (filter?: RunFilter) => {
    const found = await journal.runs(filter);
    if (isLate) {
      read.resolve();
      await late.promise;
    }
    return found;
  };
  const slow = new RunIndex({ run: (run) => journal.run(run), runs }, { leastMs: 0, share: 0 });
  await slow.survey();
  isLate = true;
  const survey = slow.survey();
  await read.promise;
  await move({ status: 'settled', outcome: 'ok' });
  await slow.look([runId('a')]);
  late.resolve();
  await survey;
  expect(slow.info(runId('a'))).toMatchObject({ seq: 2, status: 'settled' });
});

test('[U2] who asks while a survey is under way gets what the journal says then, not what that survey had read', async () => {
  await begin('a', 'one');
  const [read, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const runs = async (filter?: RunFilter) => {
    const found = await journal.runs(filter);
    read.resolve();
    await late.promise;
    return found;
  };
  const slow = new RunIndex({ run: (run) => journal.run(run), runs }, { leastMs: 0, share: 0 });
  const before = slow.survey();
  await read.promise;
  dead.add('one');
  await begin('b');
  const after = [slow.survey(), slow.survey()];
  late.resolve();
  await before;
  expect(slow.info(runId('a'))).toMatchObject({ driven: true });
  await Promise.all(after);
  expect(slow.info(runId('a'))).toMatchObject({ driven: false });
  expect(names(slow.roots())).toEqual(['b', 'a']);
});

test('[U2] the very first run is reported to clients that looked while there was none', async () => {
  const always = new RunIndex(journal, { leastMs: 0, share: 0 });
  always.onChange((changed) => changes.push([...changed]));
  await always.survey();
  await begin('a');
  await always.discover();
  expect(changes).toEqual([['a']]);
});
