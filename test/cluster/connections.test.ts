import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { gitProject } from '../cli/file-projects.ts';
import { createSandbox } from '../cli/sandbox.ts';

/** Units at once that write files, each in its own workspace, and merge them. */
const MANY = `import { defineWorkflow } from 'troupe';
const part = defineWorkflow({
  name: 'part',
  inputs: { name: 'string' },
  states: {
    start: { work: { kind: 'command', command: "'echo made > ' + common_data.name + '.txt'" }, transitions: ['home'] },
    home: { work: { kind: 'merge', agent: null }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
export const many = defineWorkflow({
  name: 'many',
  data: { names: ['a', 'b', 'c', 'd', 'e', 'f'] },
  states: {
    start: {
      work: {
        kind: 'pool',
        items: 'common_data.names',
        work: { kind: 'call', workflow: part, input: { name: 'item' }, workspace: 'own' },
        slots: 6,
      },
      transitions: ['done'],
    },
    done: { kind: 'end' },
  },
});
`;

const MOST = 10;

describe.skipIf(!hasServer())('connections', { timeout: 90_000 }, () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  test('[U8] a worker has at most ten connections to the database while it drives many runs', async () => {
    const address = await cluster.database();
    // By its name on the server, its connections differ from all others.
    await cluster.query(address, 'create role machine superuser login');
    const own = new URL(address);
    own.username = 'machine';
    const count = async (): Promise<number> => {
      const counted = "select count(*)::integer as n from pg_stat_activity where usename = 'machine'";
      return ((await cluster.query(address, counted)) as { readonly n: number }[])[0]?.n ?? NaN;
    };
    const counts: number[] = [];
    const over = new AbortController();
    const watch = async (): Promise<void> => {
      while (!over.signal.aborted) counts.push(await count());
    };
    const watching = watch();
    const worker = createSandbox().start(['worker', '--slots', '8', '--json'], {
      environment: { TROUPE_JOURNAL: own.href },
    });
    expect((await worker.lines.next()).value ?? (await worker.ended).stderr).toContain('worker.started');
    const user = gitProject({ '.troupe/config.yaml': 'models: {}\n', 'many.ts': MANY });
    const environment = { TROUPE_JOURNAL: address };
    expect(await user.troupe(['run', 'many.ts', '--json'], { environment })).toMatchObject({ code: 0, stderr: '' });
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0 });
    over.abort();
    await watching;
    const most = Math.max(...counts);
    expect(most).toBeLessThanOrEqual(MOST);
    // It was counted while all parts of it were at work.
    expect(most).toBeGreaterThan(MOST / 2);
  });
});
