import { globSync, readdirSync, readlinkSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { git, gitProject, writingRun } from '../../cli/file-projects.ts';
import { ASKING, scriptedProject } from '../../cli/projects.ts';
import { path, serve } from './served.ts';

vi.setConfig({ testTimeout: 60_000 });

const FREE_TEXT = ASKING.replace("choices: ['red', 'blue']", 'choices: []');

test('[L3] a server that is ended stops a check, answers, and leaves nothing half done', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const page = await serve(sandbox);
  const verify = 'touch check-began; sleep 60';
  const answer = page.post(path(run, '/merge'), { to: { kind: 'branch', name: 'taken' }, verify });
  await vi.waitUntil(() => globSync('runs/**/check-began', { cwd: sandbox.home }).length > 0, { timeout: 30_000 });
  page.running.child.kill('SIGTERM');
  expect((await answer).body).toMatchObject({ kind: 'merge.not-verified' });
  expect((await page.running.ended).code).toBe(0);
  expect(git(sandbox, 'branch', '--list', 'taken')).toBe('');
  expect((await sandbox.troupe(['merge', run, '--branch', 'taken'])).code).toBe(0);
});

test('[A8] [F62] no secret of the server is in the answer to an act, nor in why it was refused', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const key = 'sk-canary-0123456789abcdef';
  const page = await serve(sandbox, [], { environment: { OPENAI_API_KEY: key } });
  const refused = await page.post(path(run, '/merge'), { to: { kind: 'apply' }, verify: `echo ${key}; exit 1` });
  expect(refused.body).toMatchObject({ kind: 'merge.not-verified' });
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
