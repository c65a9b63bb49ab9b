import { expect, test } from 'vitest';
import type { Fact } from '../../core/record/fact.ts';
import { bodyHash, runId, taskId, treeId, type RunId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal, StoredRecord } from '../../journal/port.ts';
import { changedWorkspaces, findFiles, madeFrom, treeOf } from './find-files.ts';

const tree = (name: string) => treeId(name.padEnd(40, '0'));
const ROOT = runId('root');
const CHILD = runId('root/t1');

function started(run: RunId, parent: RunId | null, files: boolean): Fact {
  return {
    kind: 'run.started',
    format: 1,
    engine: 'test',
    run,
    parent,
    workflow: 'w',
    definition: bodyHash('d'),
    input: {},
    data: {},
    contexts: [],
    limits: { iterations: 1, toolRounds: 1 },
    project: '/p',
    ...(files ? { files: { tree: tree('began'), source: 'plain' } } : {}),
  };
}

const made = (workspace: string, of: string): Fact => ({
  kind: 'workspace.made',
  workspace,
  tree: tree(of),
  version: 1,
});

function changed(workspace: string, of: string, version: number, base = 'began'): Fact {
  return {
    kind: 'files.changed',
    workspace,
    tree: tree(of),
    version,
    base: tree(base),
    why: 'work',
    task: taskId('t1'),
  };
}

async function write(journal: Journal, run: RunId, facts: readonly (readonly [number, Fact])[]): Promise<void> {
  // The clock of the child's host is an hour ahead: only the commit numbers show what came first.
  const skew = run === ROOT ? 0 : 3_600_000;
  const records = facts.map(([commit, fact], index): StoredRecord => ({
    seq: index + 1,
    at: commit + skew,
    fact,
    commit,
  }));
  const parent = run === ROOT ? null : ROOT;
  const header = { run, parent, workflow: 'w', project: '/p', title: '', at: 0 };
  const summary = { status: 'running', outcome: null } as const;
  await journal.release(await journal.create(header, 'test', { records, summary }));
}

async function journalWithChild(): Promise<Journal> {
  const journal = createMemoryJournal();
  await write(journal, ROOT, [
    [1, started(ROOT, null, true)],
    [2, made('main', 'began')],
    [3, changed('main', 'one', 2)],
    [9, changed('main', 'three', 4)],
  ]);
  await write(journal, CHILD, [
    [4, started(CHILD, ROOT, false)],
    [5, changed('main', 'two', 3)],
    [6, made('t1.shared', 'two')],
    [7, changed('t1.shared', 'own', 2, 'two')],
  ]);
  return journal;
}

test('[L6] the newest files of a workspace are those of whichever run wrote last', async () => {
  const journal = await journalWithChild();
  for (const run of [ROOT, CHILD]) {
    const files = await findFiles(journal, run);
    expect([treeOf(files, 'main'), treeOf(files, 't1.shared')]).toEqual([tree('three'), tree('own')]);
    expect([madeFrom(files, 'main'), madeFrom(files, 't1.shared')]).toEqual([tree('began'), tree('two')]);
    expect(changedWorkspaces(files)).toEqual(['main', 't1.shared']);
  }
});

test('[L6] every record of a run has its exact files, also those that a run below it wrote by then', async () => {
  const journal = await journalWithChild();
  const at = async (run: RunId, seq: number) => treeOf(await findFiles(journal, run, seq), 'main');
  expect([await at(ROOT, 1), await at(ROOT, 2), await at(ROOT, 3)]).toEqual([
    tree('began'),
    tree('began'),
    tree('one'),
  ]);
  expect([await at(CHILD, 1), await at(CHILD, 2)]).toEqual([tree('one'), tree('two')]);
  expect(await at(ROOT, 4)).toBe(tree('three'));
});

test('[PD7] merged files do not wait, until their agent changes something again', async () => {
  const facts: readonly (readonly [number, Fact])[] = [
    [1, started(ROOT, null, true)],
    [2, made('chef', 'began')],
    [3, changed('chef', 'one', 2)],
    [4, { ...changed('chef', 'one', 3, 'one'), why: 'merge' } as Fact],
    [5, changed('chef', 'two', 4, 'one')],
  ];
  const waiting = async (count: number) => {
    const journal = createMemoryJournal();
    await write(journal, ROOT, facts.slice(0, count));
    return changedWorkspaces(await findFiles(journal, ROOT));
  };
  expect([await waiting(3), await waiting(4), await waiting(5)]).toEqual([['chef'], [], ['chef']]);
});

test('[L3] a run that keeps no files is refused with that reason', async () => {
  const journal = createMemoryJournal();
  await write(journal, ROOT, [[1, started(ROOT, null, false)]]);
  await expect(findFiles(journal, ROOT)).rejects.toMatchObject({ code: 'FILES_NONE' });
});

test('[L6] a workspace whose folder was created again still has all its work since it was first created', async () => {
  const journal = createMemoryJournal();
  const again: Fact = { ...made('main', 'one'), version: 3, again: { base: tree('began') } } as Fact;
  await write(journal, ROOT, [
    [1, started(ROOT, null, true)],
    [2, made('main', 'began')],
    [3, changed('main', 'one', 2)],
    [4, again],
    [5, changed('main', 'two', 4)],
  ]);
  const files = await findFiles(journal, ROOT);
  expect(madeFrom(files, 'main')).toBe(tree('began'));
  expect(treeOf(files, 'main')).toBe(tree('two'));
});
