import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import { ownIdentity } from '../../lib/process-identity.ts';
import { createResources, type ResourceSettings } from './resources.ts';

function testHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'resources-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

const faultOf = async (action: Promise<unknown>) => {
  const error: unknown = await action.then(
    () => null,
    (reason: unknown) => reason,
  );
  return isFault(error) ? error : null;
};

const DATABASES: ResourceSettings = { test_db: { kind: 'name', pattern: 'app_test_{n}', count: 3 } };
const holder = (workspace: string) => ({ root: 'r1', workspace });

test('[PD1] different holders get different ones, and the same holder the same again', async () => {
  const resources = createResources({ home: testHome(), settings: DATABASES });
  const names = ['a', 'b', 'c'];
  const leases = await Promise.all(names.map((name) => resources.lease(holder(name))));
  const values = leases.map((lease) => lease.values['test_db']);
  expect(new Set(values)).toEqual(new Set(['app_test_1', 'app_test_2', 'app_test_3']));
  expect(leases[0]?.environment).toEqual({ TEST_DB: values[0] });
  await Promise.all(leases.map((lease) => lease.release()));
  for (const at of [2, 0, 1]) {
    expect((await resources.lease(holder(names[at] ?? ''))).values).toEqual(leases[at]?.values);
  }
});

test('[PD1] when all are taken, the fault says who has them', async () => {
  const resources = createResources({ home: testHome(), settings: DATABASES });
  for (const name of ['a', 'b', 'c']) await resources.lease(holder(name));
  const fault = await faultOf(resources.lease(holder('d')));
  expect(fault?.code).toBe('RESOURCE_EXHAUSTED');
  for (const name of ['a', 'b', 'c']) expect(fault?.message).toContain(`r1 (${name})`);
});

test('[L3] an unknown mutex is reported with the closest name', async () => {
  const resources = createResources({ home: testHome(), settings: { ...DATABASES, deploy: { kind: 'mutex' } } });
  const fault = await faultOf(resources.hold('deplo', holder('a')));
  expect([fault?.code, fault?.hint]).toEqual(['RESOURCE_UNKNOWN', 'Did you mean "deploy"?']);
  expect((await faultOf(resources.hold('test_db', holder('a'))))?.hint).toBe('Known: deploy.');
});

test('[L3] a lease that fails gives back what it had taken before', async () => {
  const settings: ResourceSettings = { ...DATABASES, license: { kind: 'name', pattern: 'license{n}', count: 1 } };
  const resources = createResources({ home: testHome(), settings });
  await resources.lease(holder('a'));
  for (const name of ['b', 'c', 'd', 'e']) {
    expect((await faultOf(resources.lease(holder(name))))?.message).toContain('"license"');
  }
});

test('[PD1] a port that another program listens on is passed over, also by names that share a range', async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  const range = { kind: 'port', from: port, to: port + 30 } as const;
  const resources = createResources({ home: testHome(), settings: { one: range, two: range } });
  const leases = await Promise.all(['a', 'b', 'c'].map((name) => resources.lease(holder(name))));
  const ports = leases.flatMap(({ values }) => Object.values(values));
  expect(new Set([...ports, String(port)]).size).toBe(7);
  const taken = createResources({ home: testHome(), settings: { one: { ...range, to: port } } });
  expect((await faultOf(taken.lease(holder('a'))))?.message).toContain('another program');
});

test('[PD1] a build folder is made outside every workspace, one for each holder', async () => {
  const home = testHome();
  const resources = createResources({ home, settings: { 'build-dir': { kind: 'folder' } } });
  const [a, b] = await Promise.all([resources.lease(holder('main')), resources.lease(holder('b'))]);
  expect(a.environment['BUILD_DIR']).not.toBe(b.environment['BUILD_DIR']);
  expect(a.folders).toEqual([a.values['build-dir']]);
  expect(statSync(a.folders[0] ?? '').isDirectory()).toBe(true);
  expect(a.folders[0]?.startsWith(join(home, 'runs', 'r1', 'work'))).toBe(false);
});

test('[L6] what a dead process held is free again, and exactly one of many takes it over', async () => {
  const home = testHome();
  const settings: ResourceSettings = { db: { kind: 'name', pattern: 'only', count: 1 } };
  const dead = { root: 'old', workspace: 'w', token: 't', process: { ...ownIdentity(), startedAt: '1' } };
  const place = join(home, 'leases', 'name');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'only'), JSON.stringify(dead));
  // The process that took it over before died on the way, too.
  writeFileSync(join(place, '.over-t'), JSON.stringify({ ...dead, token: 'u' }));
  const resources = createResources({ home, settings });
  const tries = await Promise.allSettled(Array.from({ length: 12 }, (_, at) => resources.lease(holder(`w${at}`))));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(readdirSync(place)).toEqual(['only']);
});

test('[PD1] of a mutex one has it at a time, and one who gives up leaves the queue', async () => {
  const home = testHome();
  const resources = createResources({ home, settings: { deploy: { kind: 'mutex' } } });
  const order: string[] = [];
  const release = await resources.hold('deploy', holder('first'));
  const waiting = ['a', 'b', 'c'].map(async (name) => {
    const done = await resources.hold('deploy', holder(name));
    order.push(name, name);
    await done();
  });
  const controller = new AbortController();
  const cancelled = resources.hold('deploy', holder('x'), { signal: controller.signal });
  controller.abort();
  await expect(cancelled).rejects.toThrow('aborted');
  expect(order).toEqual([]);
  await release();
  await Promise.all(waiting);
  expect(order.sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
  expect(readdirSync(join(home, 'leases', 'mutex', 'deploy', 'queue'))).toEqual([]);
});

test('[PD1] processes exclude each other, and one killed while it holds the mutex blocks no other', async () => {
  const home = testHome();
  const settings: ResourceSettings = { db: { kind: 'name', pattern: 'db{n}', count: 9 }, deploy: { kind: 'mutex' } };
  const module = pathToFileURL(join(import.meta.dirname, 'resources.ts')).href;
  const source = (at: number) => `import { createResources } from ${JSON.stringify(module)};
    const resources = createResources(${JSON.stringify({ home, settings })});
    const lease = await resources.lease({ root: 'r${at}', workspace: 'main' });
    console.log(lease.values.db);
    await resources.hold('deploy', { root: 'r${at}', workspace: 'main' });
    console.log('held');
    setInterval(() => undefined, 1000);`;
  const children = Array.from({ length: 4 }, (_, at) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', source(at)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  });
  const lines: string[] = [];
  let holding: (typeof children)[number] | undefined;
  // Each holds the mutex until it is killed, so the next one gets it only then.
  await Promise.all(
    children.map(async (child) => {
      for await (const chunk of child.stdout) {
        const said = String(chunk).trim().split('\n');
        lines.push(...said);
        if (said.includes('held')) holding = child;
        if (lines.filter((line) => line !== 'held').length === children.length) holding?.kill('SIGKILL');
      }
    }),
  );
  expect(lines.sort().slice(4)).toEqual(['held', 'held', 'held', 'held']);
  expect(new Set(lines.slice(0, 4)).size).toBe(4);
});
