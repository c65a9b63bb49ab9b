import { expect, test } from 'vitest';
import { showRun } from '../../src/app/views/show-run.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { Journal } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { KnownSecrets } from '../../src/secrets/known-secrets.ts';
import { gitProject, writingRun } from './file-projects.ts';

test('[R4] what show prints comes from one reading of the tree of runs', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const secrets = new KnownSecrets();
  const sqlite = await openSqliteJournal({ home: sandbox.home });
  const reads: string[] = [];
  const journal: Journal = {
    ...(sqlite as object as Journal),
    run: (of) => sqlite.run(of),
    runs: (filter) => sqlite.runs(filter),
    getBody: (hash) => sqlite.getBody(hash),
    read: (of, after, limit) => {
      reads.push(of);
      return sqlite.read(of, after, limit);
    },
    tree: (root, after, limit) => {
      reads.push(`tree of ${root}`);
      return sqlite.tree(root, after, limit);
    },
  };
  const caller = { folder: sandbox.project, environment: { HOME: sandbox.home }, secrets };
  const view = await showRun({ caller, store: { home: sandbox.home, journal, secrets }, version: '0' }, runId(run));
  await sqlite.close();
  expect(view).toMatchObject({ run, status: 'settled', folders: [{ workspace: 'main' }] });
  expect(reads).toEqual([`tree of ${run}`]);
});
