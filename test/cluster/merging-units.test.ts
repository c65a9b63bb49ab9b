import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runId } from '../../src/core/model/ids.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { git, gitProject } from '../cli/file-projects.ts';
import { jsonLines } from '../cli/sandbox.ts';
import { machineWith, startWorker, stopWorkers } from './support/worker-machines.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Each unit makes a file, and merges it into the files of the run that started it. */
const PIECES = `import { defineWorkflow } from 'troupe';
const piece = defineWorkflow({
  name: 'piece',
  inputs: { name: { type: 'string' } },
  data: {},
  states: {
    start: {
      work: { kind: 'command', command: "'echo ' + common_data.name + ' > ' + common_data.name + '.txt'" },
      transitions: ['home'],
    },
    home: { work: { kind: 'merge', agent: null }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
export const pieces = defineWorkflow({
  name: 'pieces',
  data: {},
  states: {
    start: {
      work: {
        kind: 'pool',
        items: "${JSON.stringify(NAMES).replaceAll('"', "'")}",
        work: { kind: 'call', workflow: piece, workspace: 'own', input: { name: 'item' } },
        slots: 6,
      },
      transitions: ['done'],
    },
    done: { kind: 'end' },
  },
});
`;

/** One for each of three units that run at once, and one for the files of the run. */
const DATABASES = 'resources:\n  db: { kind: name, pattern: "db{n}", count: 4 }\n';

describe.skipIf(!hasServer())('units that merge into the files of their run', { timeout: 90_000 }, () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  test('[U8] units on one worker share what the machine has for their run: its files have one database, however many merge', async () => {
    const environment = { TROUPE_JOURNAL: await cluster.database() };
    const user = gitProject({ '.troupe/config.yaml': 'models: {}\n', 'pieces.ts': PIECES });
    const worker = await startWorker(machineWith(DATABASES), environment, ['--slots', '3']);
    const { code, stdout, stderr } = await user.troupe(['run', 'pieces.ts', '--json'], { environment });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const run = runId(String(jsonLines(stdout)[0]?.['run']));
    const made = git(user, 'ls-tree', '-r', '--name-only', `troupe/${run}`).split('\n');
    expect(made).toEqual(expect.arrayContaining(NAMES.map((name) => `${name}.txt`)));
    await stopWorkers([worker]);
  });

  test('[U8] on several workers at once each finds what the others merged, and nothing is lost', async () => {
    const environment = { TROUPE_JOURNAL: await cluster.database() };
    const user = gitProject({ '.troupe/config.yaml': 'models: {}\n', 'pieces.ts': PIECES });
    const begun = [1, 2].map(() => startWorker(machineWith(), environment, ['--slots', '3']));
    const workers = await Promise.all(begun);
    const { code, stdout, stderr } = await user.troupe(['run', 'pieces.ts', '--json'], { environment });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const run = runId(String(jsonLines(stdout)[0]?.['run']));
    const made = git(user, 'ls-tree', '-r', '--name-only', `troupe/${run}`).split('\n');
    expect(made).toEqual(expect.arrayContaining(NAMES.map((name) => `${name}.txt`)));
    const journal = await openPostgresJournal({ address: environment.TROUPE_JOURNAL });
    const units = await journal.runs({ parent: run });
    expect(units.map(({ outcome, isOffered }) => [outcome, isOffered])).toEqual(NAMES.map(() => ['ok', true]));
    await journal.close();
    await stopWorkers(workers);
  });
});
