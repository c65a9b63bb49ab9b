import { readdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JournalRecord } from '../../core/record/fact.ts';
import { bodyHash, runId, type TreeId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { testProject, writeFiles } from '../../workspace/testing/test-project.ts';
import { testWorkspaces } from '../../workspace/testing/test-workspaces.ts';
import { pruneRuns } from './prune-runs.ts';

const DAY = 86_400_000;

async function openRun(journal: Journal, name: string, files: { project: string; tree: TreeId }): Promise<void> {
  const run = runId(name);
  const { project, tree } = files;
  const started: JournalRecord = {
    seq: 1,
    at: 0,
    fact: {
      kind: 'run.started',
      format: 1,
      engine: 'test',
      run,
      parent: null,
      workflow: 'w',
      definition: bodyHash('d'),
      input: {},
      data: {},
      contexts: [],
      limits: { iterations: 1, toolRounds: 1 },
      project,
      files: { tree, source: 'plain' },
    },
  };
  const header = { run, parent: null, workflow: 'w', project, title: '', at: 0 };
  const summary = { status: 'running', outcome: null } as const;
  await journal.release(await journal.create(header, 'test', { records: [started], summary }));
}

function makeOld(folder: string): void {
  const then = new Date(Date.now() - 90 * DAY);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), then, then);
  }
}

test('[U1] a project that is known by two paths keeps the files of all its runs', async () => {
  const { project, home } = testProject({ a: 'one' });
  const alias = `${project}-alias`;
  symlinkSync(project, alias);
  const journal = createMemoryJournal();
  const { workspaces } = testWorkspaces({ project, home });
  const trees: TreeId[] = [];
  for (const [name, path] of Object.entries({ first: project, second: alias })) {
    writeFiles(project, { a: `of ${name}` });
    const { tree } = await workspaces.begin(path);
    await openRun(journal, name, { project: path, tree });
    trees.push(tree);
  }
  const store = await workspaces.store(project);
  makeOld(store.gitDir);
  await pruneRuns({ home, journal }, { olderThanMs: 0, keep: 0, isDry: false });
  for (const tree of trees) expect([...(await store.entries(tree)).keys()]).toEqual(['a']);
});
