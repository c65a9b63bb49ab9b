import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTroupe } from '../../src/app/troupe/open-troupe.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { ASKING, scriptedProject } from './projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

const listed = async (sandbox: Sandbox, ...words: readonly string[]): Promise<readonly unknown[]> => {
  const { stdout } = await sandbox.troupe(['list', '--json', ...words]);
  return jsonLines(stdout).flatMap((line) => line['items'] as readonly unknown[]);
};

const withPassword = (address: string): string => address.replace('troupe@', 'troupe:hunter2-in-address@');

describe.skipIf(!hasServer())('with its own PostgreSQL', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  test(
    '[U8] a run on PostgreSQL is started, listed and answered by separate commands, and is not in the home',
    { timeout: 60_000 },
    async () => {
      const sandbox = scriptedProject({ 'asking.ts': ASKING });
      const address = withPassword(await cluster.database());
      const started = await sandbox.troupe(['run', 'asking.ts', '--detach', '--json', '--journal', address]);
      const run = String(jsonLines(started.stdout)[0]?.['run']);
      expect(await listed(sandbox)).toEqual([]);
      expect(await listed(sandbox, '--journal', address)).toMatchObject([{ run, status: 'waiting' }]);
      const environment = { TROUPE_JOURNAL: address };
      const worker = sandbox.start(['worker', '--json'], { environment });
      expect((await worker.lines.next()).value).toContain('worker.started');
      const answered = await sandbox.troupe(['answer', run, 'red'], { environment });
      expect(answered).toMatchObject({ code: 0, stdout: 'red\n' });
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toMatchObject({ code: 0 });
      const logs = await sandbox.troupe(['logs', run, '--json', '--journal', address]);
      for (const { stdout, stderr } of [started, answered, logs]) expect(stdout + stderr).not.toContain('hunter2');
    },
  );

  test('[U8] a flag goes before the variable, the variable before the configuration', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASKING });
    const [one, two, three] = [await cluster.database(), await cluster.database(), await cluster.database()];
    for (const address of [one, two, three])
      await sandbox.troupe(['run', 'asking.ts', '--detach', '--journal', address]);
    await sandbox.troupe(['run', 'asking.ts', '--detach', '--journal', three]);
    await sandbox.troupe(['run', 'asking.ts', '--detach', '--journal', two]);
    await sandbox.troupe(['run', 'asking.ts', '--detach', '--journal', three]);
    const config = join(sandbox.home, 'xdg', 'troupe');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.yaml'), `journal: ${one}\n`);
    const own = { XDG_CONFIG_HOME: join(sandbox.home, 'xdg') };
    const counted = async (environment: Readonly<Record<string, string>>, ...words: readonly string[]) => {
      const { stdout } = await sandbox.troupe(['list', '--json', ...words], { environment });
      return jsonLines(stdout).flatMap((line) => line['items'] as readonly unknown[]).length;
    };
    expect(await counted(own)).toBe(1);
    expect(await counted({ ...own, TROUPE_JOURNAL: two })).toBe(2);
    expect(await counted({ ...own, TROUPE_JOURNAL: two }, '--journal', three)).toBe(3);
    expect(await counted({ ...own, TROUPE_JOURNAL: 'local' })).toBe(0);
  });

  test("[U8] a project's own address has no effect before the user has agreed to it", async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASKING });
    const address = withPassword(await cluster.database());
    await sandbox.troupe(['run', 'asking.ts', '--detach', '--journal', address]);
    sandbox.write('.troupe/config.yaml', `${sandbox.read('.troupe/config.yaml')}journal: ${address}\n`);
    expect(await listed(sandbox)).toEqual([]);
    const refused = await sandbox.troupe(['run', 'asking.ts']);
    expect(refused.stderr).toContain('PROJECT_UNTRUSTED');
    expect(refused.stderr).toContain('keeps your runs');
    expect(refused.stderr).not.toContain('hunter2');
    await sandbox.troupe(['trust', '--yes']);
    expect(await listed(sandbox)).toHaveLength(1);
  });

  test('[U8] doctor names the server, the runs and the workers, and a changed record', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASKING });
    const address = await cluster.database();
    await sandbox.troupe(['run', 'asking.ts', '--detach', '--journal', address]);
    const healthy = await sandbox.troupe(['doctor', '--journal', address]);
    expect(healthy.stdout).toMatch(
      /ok +journal +postgres:\/\/troupe@\S+ \(PostgreSQL \d+.*1 run, .*every record verified/,
    );
    await cluster.query(address, "update troupe.records set body = replace(body, 'colour', 'color')");
    const broken = await sandbox.troupe(['doctor', '--journal', address]);
    expect(broken.stdout).toMatch(/error +journal .*Record 1 of run \S+ is damaged/);
    expect(broken.code).toBe(1);
  });

  test('[U8] a program may open a project by the address of its journal', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASKING });
    const address = await cluster.database();
    await sandbox.troupe(['run', 'asking.ts', '--detach', '--journal', address]);
    const troupe = await openTroupe({ project: sandbox.project, home: sandbox.home, journal: address });
    expect((await troupe.list()).items).toMatchObject([{ status: 'waiting' }]);
    await troupe.close();
  });

  test('[U8] a program hears each record of a run that a worker drives once, also after it has answered', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASKING });
    const address = await cluster.database();
    const heard: string[] = [];
    const troupe = await openTroupe({
      project: sandbox.project,
      home: sandbox.home,
      journal: address,
      onLive: (event) => event.kind === 'record' && heard.push(`${event.run} ${event.record.seq}`),
    });
    const worker = sandbox.start(['worker', '--json'], { environment: { TROUPE_JOURNAL: address } });
    expect((await worker.lines.next()).value).toContain('worker.started');
    const run = await troupe.start('asking.ts');
    expect(await run.rest()).toMatchObject({ status: 'waiting' });
    await run.answer('red');
    expect(await run.result()).toMatchObject({ output: 'red' });
    await troupe.close();
    expect(heard.length).toBeGreaterThan(3);
    expect(heard).toEqual([...new Set(heard)]);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0 });
  });

  test('[U8] what is wrong with an address is refused at once, with what to do and without the password', async () => {
    const sandbox = scriptedProject();
    const address = withPassword(await cluster.database());
    for (const [wrong, code, hint] of [
      [address.replace('127.0.0.1', 'no-such-host.invalid'), 'JOURNAL_UNREACHABLE', 'host and port'],
      [`${address}_missing`, 'JOURNAL_REFUSED', 'createdb'],
      [address.replace('troupe:', 'stranger:'), 'JOURNAL_REFUSED', 'user and password'],
      ['mysql://troupe:hunter2-in-address@127.0.0.1/x', 'JOURNAL_ADDRESS', 'postgres://USER'],
      ['postgres://troupe:hunter2-in-address@127.0.0.1', 'JOURNAL_ADDRESS', 'postgres://USER'],
      ['postgres://troupe:%E0%A4%A@127.0.0.1/x', 'JOURNAL_ADDRESS', '%XX'],
    ] as const) {
      const refused = await sandbox.troupe(['list', '--journal', wrong]);
      expect(refused).toMatchObject({ code: code === 'JOURNAL_UNREACHABLE' ? 1 : 2, stdout: '' });
      expect(refused.stderr).toContain(code);
      expect(refused.stderr).toContain(hint);
      expect(refused.stderr).not.toContain('hunter2');
    }
    sandbox.write('.troupe/config.yaml', 'journal: "mysql://troupe:hunter2-in-address@127.0.0.1/x"\n');
    const config = await sandbox.troupe(['list']);
    expect(config.stderr).toContain('CONFIG_INVALID');
    expect(config.stderr).not.toContain('hunter2');
  });

  test('[U8] a database of another format, of another program or of too old an encoding is refused', async () => {
    const sandbox = scriptedProject();
    const changed = async (...statements: readonly string[]): Promise<string> => {
      const address = await cluster.database();
      await sandbox.troupe(['list', '--journal', address]);
      for (const statement of statements) await cluster.query(address, statement);
      return (await sandbox.troupe(['list', '--journal', address])).stderr;
    };
    expect(await changed("update troupe.meta set value = '0'")).toContain('JOURNAL_DAMAGED');
    expect(await changed("update troupe.meta set value = '1' where key = 'format'")).toContain('JOURNAL_OLDER');
    expect(await changed('drop schema troupe cascade', 'create schema troupe')).toContain('JOURNAL_FOREIGN');
    const latin = await cluster.database("encoding 'LATIN1' locale 'C' template template0");
    expect((await sandbox.troupe(['list', '--journal', latin])).stderr).toContain('JOURNAL_SERVER_UNFIT');
  });
});
