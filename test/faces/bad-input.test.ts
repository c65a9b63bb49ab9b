import { globSync } from 'node:fs';
import { request } from 'node:http';
import { expect, test, vi } from 'vitest';
import { runId } from '../../src/core/model/ids.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { git, gitProject, writingRun } from '../cli/file-projects.ts';
import { ASKING, scriptedProject } from '../cli/projects.ts';
import { jsonLines, type Sandbox } from '../cli/sandbox.ts';
import { path, serve, type Body } from '../web/server/served.ts';
import { pageHere } from '../web/server/page-here.ts';
import { FACES } from './faces.ts';

vi.setConfig({ testTimeout: 60_000 });

const FREE_TEXT = ASKING.replace("choices: ['red', 'blue']", 'choices: []');

async function askingRun(sandbox: Sandbox): Promise<string> {
  const { stdout } = await sandbox.troupe(['run', 'asking.ts', '--no-input', '--json']);
  return String(jsonLines(stdout)[0]?.['run']);
}

test('[R2] two faces that answer one question at once: one is taken, the other is refused, and one record says so', async () => {
  const sandbox = scriptedProject({ 'asking.ts': FREE_TEXT });
  const run = await askingRun(sandbox);
  const [page, library] = [await FACES.http(sandbox), await FACES.library(sandbox)];
  const answers = await Promise.all(
    [page, library].map((face, index) => face.does({ kind: 'answer', run, question: 'q1', text: `word ${index}` })),
  );
  expect(new Set(answers)).toEqual(new Set(['QUESTION_CLOSED', null]));
  const journal = await openSqliteJournal({ home: sandbox.home });
  const records = await journal.read(runId(run));
  await journal.close();
  const taken = records.flatMap(({ fact }) => (fact.kind === 'question.answered' ? [fact.answer] : []));
  expect(taken).toEqual([`word ${answers.indexOf(null)}`]);
});

test('[R2] a client that hangs up in the middle of a delivery: it is finished, and the next face sees the whole of it', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const page = await serve(sandbox);
  const body = JSON.stringify({ to: { kind: 'branch', name: 'taken' }, verify: 'touch check-began; sleep 1' });
  const sent = request({
    host: '127.0.0.1',
    port: page.port,
    path: path(run, '/deliver'),
    method: 'POST',
    headers: { authorization: `Bearer ${page.token}`, 'content-type': 'application/json' },
    agent: false,
  });
  sent.on('error', () => undefined);
  sent.end(body);
  await vi.waitUntil(() => globSync('runs/**/check-began', { cwd: sandbox.home }).length > 0, { timeout: 30_000 });
  sent.destroy();
  await vi.waitUntil(() => git(sandbox, 'branch', '--list', 'taken') !== '', { timeout: 30_000 });
  await vi.waitUntil(async () => JSON.stringify((await page.get(path(run))).body).includes('"taken"'), {
    timeout: 20_000,
  });
  const again = await sandbox.troupe(['deliver', run, '--branch', 'taken', '--json']);
  expect(again.stderr).not.toContain('INTERNAL');
  expect(git(sandbox, 'log', '--format=%s', '-1', 'taken')).not.toBe('');
});

test('[R2] an operation on a run of a different project acts in that project or is refused, and never in the one it was asked from', async () => {
  const [mine, other] = [scriptedProject({ 'asking.ts': FREE_TEXT }), scriptedProject()];
  const run = await askingRun(mine);
  const elsewhere: Sandbox = { ...other, home: mine.home };
  const page = await pageHere(elsewhere);
  const paused = (await (await page.post(path(run, '/pause'), { reason: 'lunch' })).json()) as Body;
  expect(paused).toEqual({ kind: 'run.paused', run });
  const shown = (await (await page.get(path(run))).json()) as Body;
  expect(shown).toMatchObject({ project: mine.project, status: 'paused', held: { reason: 'lunch' } });
  expect(await (await FACES.library(elsewhere)).does({ kind: 'cancel', run })).toBe('RUN_ELSEWHERE');
  const cancelled = await mine.troupe(['cancel', run, '--json'], { folder: other.project });
  expect(JSON.parse(cancelled.stdout)).toEqual({ kind: 'run.cancelled', run });
  expect((await (await page.get(path(run))).json()) as Body).toMatchObject({
    outcome: 'cancelled',
    project: mine.project,
  });
});

test('[R2] a request with an unknown field is refused with the name of the field, through every face', async () => {
  const sandbox = scriptedProject({ 'asking.ts': FREE_TEXT });
  const run = await askingRun(sandbox);
  const page = await pageHere(sandbox);
  const refused = (await (await page.post(path(run, '/pause'), { raeson: 'x' })).json()) as Body;
  expect(refused.error).toMatchObject({
    code: 'REQUEST_INVALID',
    message: expect.stringContaining('raeson') as string,
  });
  const act = { kind: 'pause', run, raeson: 'x' } as never;
  expect(await (await FACES.mcp(sandbox)).does(act)).toBe('REQUEST_INVALID');
  expect(await (await FACES.library(sandbox)).does(act)).toBe('REQUEST_INVALID');
  const order = { kind: 'resume', run, speed: 'fast' };
  const given = JSON.stringify({ protocol: 1, order, by: 'ada', via: 'page', allowsApprovals: false });
  const driven = await sandbox.start(['drive', '--json'], { stdin: given }).ended;
  expect(driven).toMatchObject({ code: 2, stderr: expect.stringContaining('speed') as string });
  const flag = await sandbox.troupe(['pause', run, '--raeson', 'x', '--json']);
  expect(flag).toMatchObject({ code: 2, stderr: expect.stringContaining('--raeson') as string });
  expect((await (await page.get(path(run))).json()) as Body).toMatchObject({ status: 'waiting' });
});

test('[R2] a request of a newer protocol is refused with what to do, and nothing is done', async () => {
  const sandbox = scriptedProject({ 'asking.ts': FREE_TEXT });
  const run = await askingRun(sandbox);
  const order = { kind: 'answer', run, question: 'q1', text: 'red', tone: 'warm' };
  const given = JSON.stringify({ protocol: 2, order, by: 'ada', via: 'page', allowsApprovals: false });
  const { code, stderr } = await sandbox.start(['drive', '--json'], { stdin: given }).ended;
  expect(code).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({
    code: 'PROTOCOL_NEWER',
    hint: expect.stringContaining('update this one') as string,
  });
  const looked = await sandbox.start(['look', '--json'], {
    stdin: JSON.stringify({ protocol: 2, view: { kind: 'show', run }, isContent: false }),
  }).ended;
  expect(JSON.parse(looked.stderr)).toMatchObject({ code: 'PROTOCOL_NEWER' });
});
