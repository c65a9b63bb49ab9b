import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { performAct } from '../../../src/app/acts/perform-act.ts';
import type { Asking } from '../../../src/app/runs/session.ts';
import { runId } from '../../../src/core/model/ids.ts';
import type { Journal } from '../../../src/journal/port.ts';
import { redactingJournal } from '../../../src/journal/redacting-journal.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { KnownSecrets } from '../../../src/secrets/known-secrets.ts';
import { git, gitProject, writingRun } from '../../cli/file-projects.ts';
import { ASK_THEN_WORK, ASKING, scriptedProject } from '../../cli/projects.ts';
import type { Sandbox } from '../../cli/sandbox.ts';
import { path, serve } from './served.ts';

vi.setConfig({ testTimeout: 60_000 });

const PROGRAM = { signal: new AbortController().signal, later: () => undefined };

const FREE_TEXT = ASKING.replace("choices: ['red', 'blue']", 'choices: []');

test('[L3] a server that is ended stops a check, answers, and leaves nothing half done', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const page = await serve(sandbox);
  const verify = 'touch check-began; sleep 60';
  const answer = page.post(path(run, '/deliver'), { to: { kind: 'branch', name: 'taken' }, verify });
  await vi.waitUntil(() => globSync('runs/**/check-began', { cwd: sandbox.home }).length > 0, { timeout: 30_000 });
  page.running.child.kill('SIGTERM');
  expect((await answer).body).toMatchObject({ kind: 'result.not-verified' });
  expect((await page.running.ended).code).toBe(0);
  expect(git(sandbox, 'branch', '--list', 'taken')).toBe('');
  expect((await sandbox.troupe(['deliver', run, '--branch', 'taken'])).code).toBe(0);
});

test('[A8] [F62] no secret of the server is in the answer to an act, nor in why it was refused', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const key = 'sk-canary-0123456789abcdef';
  const page = await serve(sandbox, [], { environment: { OPENAI_API_KEY: key } });
  const refused = await page.post(path(run, '/deliver'), { to: { kind: 'apply' }, verify: `echo ${key}; exit 1` });
  expect(refused.body).toMatchObject({ kind: 'result.not-verified' });
  const unknown = await page.post(path(run, '/fork'), { at: key });
  expect(unknown.body.error?.code).toBe('STEP_UNKNOWN');
  expect([refused.text, unknown.text].filter((text) => text.includes(key))).toEqual([]);
});

test('[U2] an answer is for the question that it names, and for no other', async () => {
  const sandbox = scriptedProject({ 'asking.ts': FREE_TEXT });
  const page = await serve(sandbox);
  const run = String((await page.post('/api/runs', { workflow: 'asking.ts' })).body['run']);
  await sandbox.troupe(['watch', run]);
  for (const question of ['permit/t9/call_1', 't9', 'q7', 'What']) {
    const { status, body } = await page.post(path(run, '/answer'), { question, text: 'yes' });
    expect([question, status, body.error?.code]).toEqual([question, 409, 'QUESTION_CLOSED']);
  }
  expect((await page.get(path(run))).body).toMatchObject({ status: 'waiting' });
});

test('[U2] a fork of a run where it waits is made, and waits; nothing of it stays open in the server', async () => {
  const sandbox = scriptedProject({ 'asking.ts': FREE_TEXT });
  const page = await serve(sandbox);
  const run = String((await page.post('/api/runs', { workflow: 'asking.ts' })).body['run']);
  await sandbox.troupe(['watch', run]);
  const { seq } = (await page.get(path(run))).body as { readonly seq?: number };
  const forked = await page.post(path(run, '/fork'), { at: String(seq ?? 2) });
  expect([forked.status, forked.body.error]).toEqual([200, undefined]);
  expect((await page.get(path(String(forked.body['run'])))).body).toMatchObject({ status: 'waiting' });
  expect(openFiles(page.running.child.pid).filter((file) => file.endsWith('detached.log'))).toEqual([]);
});

function openFiles(pid: number | undefined): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)];
    } catch {
      return [];
    }
  });
}

test('[U2] a run that its process leaves while it is resumed is driven by a new process, never by the server', async () => {
  const sandbox = scriptedProject({ 'asking.ts': FREE_TEXT });
  await sandbox.troupe(['run', 'asking.ts', '--no-input']);
  await sandbox.troupe(['pause', 'last']);
  const sqlite = await openSqliteJournal({ home: sandbox.home });
  onTestFinished(() => sqlite.close());
  const secrets = new KnownSecrets();
  let looks = 0;
  const leases: string[] = [];
  const journal: Journal = {
    ...redactingJournal(sqlite, secrets),
    lease: (run, owner) => {
      leases.push(run);
      return sqlite.lease(run, owner);
    },
    // At the first look a process still drives it.
    run: async (run) => {
      const info = await sqlite.run(run);
      looks += 1;
      return info === undefined || looks > 1 ? info : { ...info, driven: true };
    },
  };
  const [{ run = '' } = {}] = (await sqlite.runs({ parent: null })) as readonly { run?: string }[];
  const asking = askingIn(sandbox, journal, secrets);
  const program = { ...PROGRAM, entry: resolve('bin/troupe.js'), home: sandbox.home };
  expect(await performAct(asking, { kind: 'resume', run }, program)).toEqual({ kind: 'run.resumed', run });
  expect(leases).toEqual([]);
  await sandbox.troupe(['watch', run]);
  expect(await sqlite.run(runId(run))).toMatchObject({ status: 'waiting', driven: false });
});

test('[R2] an answer to a run that no process drives is recorded before a driver starts, and survives one that never does', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
  await sandbox.troupe(['run', 'asking.ts', '--no-input']);
  const sqlite = await openSqliteJournal({ home: sandbox.home });
  onTestFinished(() => sqlite.close());
  const [info] = await sqlite.runs({ parent: null });
  const run = info?.run ?? runId('');
  const asking = askingIn(sandbox, sqlite);
  const order = { kind: 'answer', run, question: 'q1', text: 'red' } as const;
  const [entry, pid] = [join(sandbox.home, 'hangs.mjs'), join(sandbox.home, 'pid')];
  writeFileSync(
    entry,
    `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(pid)}, String(process.pid));
setInterval(() => undefined, 1000);`,
  );
  const left: Promise<unknown>[] = [];
  const later = (work: Promise<unknown>): void => void left.push(work);
  const program = { ...PROGRAM, entry, home: sandbox.home, later };
  expect(await performAct(asking, order, program)).toMatchObject({ kind: 'answer.taken', run });
  // Held for its driver, so that those who watch it go on watching.
  expect(await sqlite.run(run)).toMatchObject({ driven: true });
  const recorded = async () => (await sqlite.read(run)).filter(({ fact }) => fact.kind === 'question.answered').length;
  expect(await recorded()).toBe(1);
  await expect(performAct(asking, { ...order, text: 'blue' }, program)).rejects.toMatchObject({
    code: 'QUESTION_CLOSED',
  });
  await vi.waitUntil(() => existsSync(pid) && readFileSync(pid, 'utf8') !== '', 30_000);
  process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
  await expect(Promise.all(left)).rejects.toMatchObject({ code: 'DETACH_FAILED' });
  expect(await sqlite.run(run)).toMatchObject({ driven: false });
  await sandbox.troupe(['resume', run]);
  expect([await recorded(), await sqlite.run(run)]).toMatchObject([1, { status: 'settled', outcome: 'ok' }]);
});

test("[U8] a driver uses the journal that the run is in, with its cluster, whatever the settings of the run's project name", async () => {
  const sandbox = scriptedProject({ 'asking.ts': FREE_TEXT });
  await sandbox.troupe(['run', 'asking.ts', '--no-input']);
  await sandbox.troupe(['pause', 'last']);
  const sqlite = await openSqliteJournal({ home: sandbox.home });
  onTestFinished(() => sqlite.close());
  const [info] = await sqlite.runs({ parent: null });
  const [entry, named] = [join(sandbox.home, 'tells.mjs'), join(sandbox.home, 'named')];
  mkdirSync(join(sandbox.home, '.config/troupe'), { recursive: true });
  writeFileSync(join(sandbox.home, '.config/troupe/config.yaml'), 'cluster: blue\n');
  writeFileSync(
    entry,
    `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(named)}, process.env.TROUPE_JOURNAL + ' ' + process.env.TROUPE_CLUSTER);`,
  );
  const program = { ...PROGRAM, entry, home: sandbox.home };
  const resumed = performAct(askingIn(sandbox, sqlite), { kind: 'resume', run: info?.run ?? runId('') }, program);
  await expect(resumed).rejects.toMatchObject({ code: 'DETACH_FAILED' });
  expect(readFileSync(named, 'utf8')).toBe('local blue');
});

function askingIn({ home, project }: Sandbox, journal: Journal, secrets = new KnownSecrets()): Asking {
  const environment = { PATH: process.env['PATH'], HOME: home, TROUPE_HOME: home, TROUPE_SANDBOX: 'best' };
  return {
    caller: { folder: project, environment, secrets },
    version: '0',
    by: 'ada',
    via: 'page',
    wishes: {},
    tell: () => undefined,
    store: { home, journal, secrets },
  };
}
