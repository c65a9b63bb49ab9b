import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { startLossyProxy } from '../../src/journal/postgres/testing/lossy-proxy.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { ASKING, scriptedProject } from '../cli/projects.ts';
import { createSandbox, jsonLines, type Result, type Running, type Sandbox } from '../cli/sandbox.ts';
import { spread } from '../simulation/cluster/definitions.ts';
import { newToken, openStream, serveTeam } from '../web/server/team.ts';
import { startWorker } from './support/worker-machines.ts';

const SOON = { timeout: 60_000, interval: 100 };
const PASSWORD = 'hunter2-in-address';
const HOUR = 3_600_000;

/** A database in which a run waits for an answer, and the user who began it. */
interface Team {
  readonly address: string;
  readonly user: Sandbox;
  readonly run: string;
}

interface BadInput {
  readonly title: string;
  readonly code: string;
  readonly message: RegExp;
  readonly hint: string;
  readonly exit: number;
  /** What the person sees of it: all that was printed, and how the command ended. */
  readonly meet: () => Promise<Pick<Result, 'code' | 'stderr'>>;
}

describe.skipIf(!hasServer())('bad input of many machines', { timeout: 120_000 }, () => {
  let cluster: TestCluster;
  let team: Team;
  beforeAll(async () => {
    cluster = await startCluster({ password: PASSWORD });
    const user = scriptedProject({ 'asking.ts': ASKING }, { lasts: true });
    const address = await cluster.database();
    team = { user, address, run: await beginRun(user, address) };
  });
  afterAll(() => {
    team?.user.close();
    cluster?.dispose();
  });

  const CASES: readonly BadInput[] = [
    {
      title: 'a wrong address',
      code: 'JOURNAL_UNREACHABLE',
      message: /The database postgres:\/\/troupe@127\.0\.0\.1:1\/\w+ cannot be reached: connect ECONNREFUSED/,
      hint: 'Check host and port in the address, and that the server is running.',
      exit: 1,
      meet: () => list(team.user, team.address.replace(String(cluster.port), '1')),
    },
    {
      title: 'a wrong password',
      code: 'JOURNAL_REFUSED',
      message: /The database \S+ refused: password authentication failed for user "troupe"\./,
      hint: 'Check user and password in the address, and pg_hba.conf of the server.',
      exit: 2,
      meet: () => list(team.user, team.address.replace(PASSWORD, `not-${PASSWORD}`)),
    },
    {
      title: 'no password',
      code: 'JOURNAL_REFUSED',
      message: /The database \S+ refused: it asks for a password\./,
      hint: 'Give it in the address, in PGPASSWORD or in ~/.pgpass.',
      exit: 2,
      meet: () => list(team.user, team.address.replace(`:${PASSWORD}`, '')),
    },
    {
      title: 'a server that is too old',
      code: 'JOURNAL_SERVER_UNFIT',
      message: /The database \S+ is PostgreSQL 14\./,
      hint: 'Use PostgreSQL 15 or newer.',
      exit: 2,
      meet: async () => list(team.user, await olderServer(team.address)),
    },
    {
      title: 'a database of a newer Troupe',
      code: 'JOURNAL_NEWER',
      message: /The journal in \S+ was written by a newer Troupe \(format 99\)\./,
      hint: 'Upgrade Troupe, or name another database.',
      exit: 2,
      meet: async () => {
        const { user, address } = team;
        const [row] = await cluster.query(address, "select value from troupe.meta where key = 'format'");
        const set = (format: unknown) =>
          cluster.query(address, `update troupe.meta set value = '${String(format)}' where key = 'format'`);
        await set(99);
        const result = await list(user, address);
        await set((row as { readonly value: string }).value);
        return result;
      },
    },
    {
      title: 'a database of another cluster',
      code: 'JOURNAL_OTHER_CLUSTER',
      message: /The database \S+ belongs to a cluster without a name; the name set here is "blue"\./,
      hint: 'Name your own database. If this one is yours, remove TROUPE_CLUSTER or the setting `cluster` here.',
      exit: 2,
      meet: () => {
        const environment = { TROUPE_JOURNAL: team.address, TROUPE_CLUSTER: 'blue' };
        return createSandbox().start(['worker'], { environment }).ended;
      },
    },
    {
      title: 'a worker whose clock is an hour ahead',
      code: 'CLOCK_OFF',
      message: /The clock of this machine is 60 minutes ahead of the database's\./,
      hint: 'Set the clock.',
      exit: 0,
      meet: () => meetWorker(team.address, { NODE_OPTIONS: `--import=${movedClock(HOUR)}` }, driveAnother),
    },
    {
      title: 'a worker whose clock is an hour behind',
      code: 'CLOCK_OFF',
      message: /The clock of this machine is 60 minutes behind the database's\./,
      hint: 'Set the clock.',
      exit: 0,
      meet: () => meetWorker(team.address, { NODE_OPTIONS: `--import=${movedClock(-HOUR)}` }, driveAnother),
    },
    {
      title: 'a worker of another version',
      code: 'WORKER_VERSION',
      message: /Worker \S+\/\d+ runs Troupe 0\.0\.1, this one \d+\.\d+\.\d+\./,
      hint: 'Use one version on all workers: drain them, upgrade, start them again.',
      exit: 0,
      meet: async () => {
        const { address } = team;
        const other = await openPostgresJournal({ address, worker: { id: 'other', version: '0.0.1' } });
        await other.register({ slots: 1, offers: [] });
        return await meetWorker(address, {}, () => other.close());
      },
    },
    {
      title: 'a project that no worker has and that was never sent',
      code: 'PROJECT_ELSEWHERE',
      message: /Run \S+ is not driven here: .* belongs to \/on\/a\/laptop, which was not sent to workers\./,
      hint: 'Continue with it on the machine that has this folder.',
      exit: 0,
      meet: async () => {
        const address = await cluster.database();
        const journal = await openPostgresJournal({ address });
        onTestFinished(() => journal.close());
        const host = createEmbeddedHost(testWorld({ journal, answer: () => says('') }));
        const run = await host.start({ definition: spread(), input: {}, project: '/on/a/laptop' });
        await host.shutdown();
        const met = await meetWorker(address, {}, (said) =>
          vi.waitFor(() => expect(said()).toContain(`Run ${run} is not driven here`), SOON),
        );
        expect(await journal.run(run)).toMatchObject({ status: 'running', driven: false });
        return met;
      },
    },
    {
      title: 'a store folder that is not shared after all',
      code: 'STORE_NOT_SHARED',
      message: /\S+ is not the folder that the other workers share\./,
      hint: 'Mount the shared folder at this path on every worker, or name another folder under `store`.',
      exit: 2,
      meet: async () => {
        const [one, two] = [machineWithStore(), machineWithStore()];
        const environment = { TROUPE_JOURNAL: team.address };
        expect(await stop(await startWorker(one, environment))).toMatchObject({ code: 0, stderr: '' });
        return await two.start(['worker'], { environment }).ended;
      },
    },
    {
      title: 'a token that is revoked in mid-stream',
      code: 'TOKEN_REVOKED',
      message: /Your token was revoked\./,
      hint: 'Ask the administrator of this server for a new one: troupe token new NAME --role ROLE',
      exit: 0,
      meet: async () => {
        const { user, address } = team;
        const served = await serveTeam(user, { TROUPE_JOURNAL: address });
        const stream = await openStream(served, { authorization: `Bearer ${await newToken(user, 'ann', 'viewer')}` });
        expect(stream.status).toBe(200);
        expect((await user.troupe(['token', 'revoke', 'ann'])).code).toBe(0);
        const text = await stream.text;
        served.running.child.kill('SIGINT');
        return { code: (await served.running.ended).code, stderr: text };
      },
    },
  ];

  test.each(CASES)('[U8] $title: the person learns what to do, and nothing is lost', async (bad) => {
    const before = await recordsOf(team);
    const { code, stderr } = await bad.meet();
    expect(stderr).toMatch(bad.message);
    expect(stderr).toContain(bad.code);
    expect(stderr).toContain(bad.hint);
    expect(stderr).not.toContain(PASSWORD);
    expect(code).toBe(bad.exit);
    expect(await recordsOf(team)).toEqual(before);
  });

  test('[U8] after all that, the run goes on with a worker that is as it should be', async () => {
    const worker = await startWorker(createSandbox(), { TROUPE_JOURNAL: team.address });
    await answer(team);
    expect(await stop(worker)).toMatchObject({ code: 0, stderr: '' });
  });

  test('[U8] a cluster that has a name lets in only those who give it', async () => {
    const address = await cluster.database();
    const user = createSandbox();
    const named = (name: string) =>
      user.troupe(['list', '--json'], { environment: { TROUPE_JOURNAL: address, TROUPE_CLUSTER: name } });
    expect(await named('blue')).toMatchObject({ code: 0 });
    expect(await named('blue')).toMatchObject({ code: 0 });
    const other = await named('green');
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toContain('belongs to the cluster \\"blue\\"; the name set here is \\"green\\".');
    const nameless = await list(user, address);
    expect(nameless.stderr).toContain('belongs to the cluster "blue"; no name is set here.');
    expect(nameless.stderr).toContain('If this one is yours, set TROUPE_CLUSTER=blue here.');
    settings(user, `journal: ${address}\ncluster: blue\n`);
    expect(await user.troupe(['list'])).toMatchObject({ code: 0 });
    const unnamed = await user.troupe(['list'], { environment: { TROUPE_CLUSTER: '' } });
    expect(unnamed.stderr).toContain('no name is set here.');
  });

  test('[U8] the settings give no name to a database that they do not name', async () => {
    const user = createSandbox();
    settings(user, `journal: ${team.address}\ncluster: blue\n`);
    const address = await cluster.database();
    expect(await list(user, address)).toMatchObject({ code: 0 });
    expect(await cluster.query(address, "select value from troupe.meta where key = 'cluster'")).toEqual([]);
  });

  const list = (user: Sandbox, address: string): Promise<Result> => user.troupe(['list', '--journal', address]);

  const driveAnother = async (): Promise<void> => answer({ ...team, run: await beginRun(team.user, team.address) });

  const recordsOf = async ({ user, address, run }: Team): Promise<readonly unknown[]> => {
    const { code, stdout } = await user.troupe(['logs', run, '--json', '--journal', address]);
    expect(code).toBe(0);
    return jsonLines(stdout);
  };

  /** A worker that gets a warning and still works. */
  const meetWorker = async (
    address: string,
    environment: Readonly<Record<string, string>>,
    until: (said: () => string) => unknown = () => undefined,
  ): Promise<Result> => {
    const worker = await startWorker(createSandbox(), { TROUPE_JOURNAL: address, ...environment });
    let said = '';
    worker.child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until(() => said);
    return await stop(worker);
  };

  /** The same server, which says that it is PostgreSQL 14. */
  const olderServer = async (address: string): Promise<string> => {
    const [row] = await cluster.query(address, 'show server_version_num');
    const { server_version_num: version } = row as { readonly server_version_num: string };
    const older = await startLossyProxy(address, (answer) =>
      Buffer.from(answer.toString('latin1').replace(version, '140009'), 'latin1'),
    );
    onTestFinished(() => older.close());
    return older.address;
  };
});

/** One that waits for an answer. */
async function beginRun(user: Sandbox, address: string): Promise<string> {
  const { stdout } = await user.troupe(['run', 'asking.ts', '--detach', '--json', '--journal', address]);
  return String(jsonLines(stdout)[0]?.['run']);
}

async function answer({ user, address, run }: Team): Promise<void> {
  const result = await user.troupe(['answer', run, 'red', '--journal', address]);
  expect(result.code === 0 ? result.stdout : result.stderr).toBe('red\n');
}

async function stop(worker: Running): Promise<Result> {
  worker.child.kill('SIGTERM');
  return await worker.ended;
}

function settings(machine: Sandbox, text: string): void {
  const file = join(machine.home, '.config/troupe/config.yaml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Each uses its own folder in place of the shared one. */
function machineWithStore(): Sandbox {
  const machine = createSandbox();
  settings(machine, `store: ${mkdtempSync(join(machine.home, 'store-'))}\n`);
  return machine;
}

/** A module that moves the clock of the process that loads it. */
const movedClock = (ms: number): string =>
  `data:text/javascript,${encodeURIComponent(`const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + ${ms}); else super(...given); }
  static now() { return Real.now() + ${ms}; }
};`)}`;
