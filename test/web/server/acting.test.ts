import { expect, test } from 'vitest';
import { gitProject, git, writingRun } from '../../cli/file-projects.ts';
import { ASKING, ASK_THEN_WORK, scriptedProject } from '../../cli/projects.ts';
import type { Sandbox } from '../../cli/sandbox.ts';
import { path, serve, type Body, type Served } from './served.ts';

/** Where the run stands once it has come to rest: `watch` waits for exactly that. */
async function rested(sandbox: Sandbox, page: Served, run: string): Promise<Body> {
  await sandbox.troupe(['watch', run]);
  return (await page.get(path(run))).body;
}

const started = async (
  page: Served,
  workflow: string,
  input: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { status, body } = await page.post('/api/runs', { workflow, input });
  expect([status, body.error]).toEqual([200, undefined]);
  return String(body['run']);
};

test('[U2] a run is started by the page, and goes on when the page is closed', async () => {
  const sandbox = scriptedProject();
  const page = await serve(sandbox);
  const run = await started(page, 'two_steps', { task: '--help me; $(rm -rf /) "quoted"\n-- ' });
  page.running.child.kill('SIGINT');
  await page.running.ended;
  const again = await serve(sandbox);
  expect(await rested(sandbox, again, run)).toMatchObject({
    status: 'settled',
    outcome: 'ok',
    output: 'Done.',
    input: { task: '--help me; $(rm -rf /) "quoted"\n-- ' },
  });
});

test('[U2] what cannot be started says why in the words of the command line', async () => {
  const sandbox = scriptedProject();
  const page = await serve(sandbox);
  const unknown = await page.post('/api/runs', { workflow: 'two_stepz', input: { task: 'x' } });
  expect([unknown.status, unknown.body.error?.code]).toEqual([404, 'WORKFLOW_UNKNOWN']);
  expect(unknown.body.error?.hint).toContain('two_steps');
  const dashed = await page.post('/api/runs', { workflow: '--version' });
  expect([dashed.status, dashed.body.error?.code]).toEqual([404, 'WORKFLOW_UNKNOWN']);
  const odd = await page.post('/api/runs', { workflow: 'two_steps', input: { wrong: 'x' } });
  expect([odd.status, odd.body.error?.code]).toEqual([400, 'INPUT_INVALID']);
  const option = await page.post('/api/runs', { workflow: 'two_steps', input: { task: 'x' }, slots: 'x' });
  expect([option.status, option.body.error?.code]).toEqual([400, 'REQUEST_INVALID']);
});

test('[U2] [L10] a question is answered where no process drives the run; the run then goes on by itself', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
  const page = await serve(sandbox);
  const run = await started(page, 'asking.ts');
  await rested(sandbox, page, run);
  const { items } = (await page.get(path(run, '/questions'))).body as unknown as { items: { name: string }[] };
  const [question] = items;
  const wrong = await page.post(path(run, '/answer'), { question: question?.name, text: 'green' });
  expect([wrong.status, wrong.body.error?.code]).toEqual([400, 'ANSWER_INVALID']);
  const answer = await page.post(path(run, '/answer'), { question: question?.name, text: 'blue' });
  expect([answer.status, answer.body['kind']]).toEqual([200, 'answer.taken']);
  expect(await rested(sandbox, page, run)).toMatchObject({ status: 'settled', data: { colour: 'blue' } });
  const late = await page.post(path(run, '/answer'), { question: question?.name, text: 'red' });
  expect([late.status, late.body.error?.code]).toEqual([409, 'QUESTION_CLOSED']);
});

test('[U2] of many who answer at once exactly one is first, and the others hear that they were not', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING.replace("choices: ['red', 'blue']", 'choices: []') });
  const page = await serve(sandbox);
  const run = await started(page, 'asking.ts');
  await rested(sandbox, page, run);
  const given = ['one', 'two', 'three', 'four'];
  const answers = await Promise.all(given.map((text) => page.post(path(run, '/answer'), { question: 'q1', text })));
  const taken = given.filter((_, index) => answers[index]?.status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body.error?.code])).toEqual([
    [409, 'QUESTION_CLOSED'],
    [409, 'QUESTION_CLOSED'],
    [409, 'QUESTION_CLOSED'],
  ]);
  const { data, status } = (await rested(sandbox, page, run)) as { data?: { colour?: string }; status?: string };
  expect([status, [data?.colour]]).toEqual(['settled', taken]);
});

test('[U2] a run is paused, resumed and cancelled from the page, with the name of the person', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING });
  const page = await serve(sandbox);
  const run = await started(page, 'asking.ts');
  await rested(sandbox, page, run);
  const paused = await page.post(path(run, '/pause'), { reason: '--later' });
  expect([paused.status, paused.body]).toEqual([200, { kind: 'run.paused', run }]);
  expect((await page.get(path(run))).body).toMatchObject({ status: 'paused', held: { reason: '--later' } });
  const resumed = await page.post(path(run, '/resume'));
  expect([resumed.status, resumed.body]).toEqual([200, { kind: 'run.resumed', run }]);
  const cancelled = await page.post(path(run, '/cancel'), { reason: 'no more' });
  expect([cancelled.status, cancelled.body]).toEqual([200, { kind: 'run.cancelled', run }]);
  const again = await page.post(path(run, '/cancel'));
  expect([again.status, again.body.error?.code]).toEqual([409, 'RUN_SETTLED']);
  expect((await page.post(path(run, '/resume'))).body.error?.code).toBe('RUN_SETTLED');
});

test('[U2] a run is forked from a step with another input', async () => {
  const sandbox = scriptedProject();
  const page = await serve(sandbox);
  const run = await started(page, 'two_steps', { task: 'One' });
  await rested(sandbox, page, run);
  const forked = await page.post(path(run, '/fork'), { at: 'again', input: { task: 'Two' }, title: '-second-' });
  expect([forked.status, forked.body['kind']]).toEqual([200, 'run.forked']);
  const fork = String(forked.body['run']);
  expect(await rested(sandbox, page, fork)).toMatchObject({
    input: { task: 'Two' },
    forkedFrom: { run },
    title: '-second-',
  });
  const nowhere = await page.post(path(run, '/fork'), { at: 'nowhere' });
  expect([nowhere.status, nowhere.body.error?.code]).toEqual([404, 'STEP_UNKNOWN']);
});

async function cardOf(page: Served, run: string): Promise<unknown> {
  const { cards } = (await page.get(`/api/runs?text=${run}`)).body;
  return Array.isArray(cards) ? cards[0] : cards;
}

test('[U2] [PH7] files come home and go back; a preview says what would and does nothing', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const page = await serve(sandbox);
  const merged = await page.post(path(run, '/deliver'), { to: { kind: 'branch', name: 'from-page' } });
  expect([merged.status, merged.body.error]).toEqual([200, undefined]);
  expect(git(sandbox, 'show', 'from-page:src/made.txt')).toContain('changed again');
  expect(await cardOf(page, run)).toMatchObject({ column: 'ready', result: { state: 'waiting' } });
  const taken = await page.post(path(run, '/deliver'), { to: { kind: 'branch', name: 'trunk' } });
  expect(taken.status).toBeGreaterThanOrEqual(400);
  await page.post(path(run, '/deliver'), { to: { kind: 'apply' } });
  expect(sandbox.read('src/made.txt')).toContain('changed again');
  expect(await cardOf(page, run)).toMatchObject({
    column: 'done',
    result: { state: 'delivered' },
  });
  const preview = await page.post(path(run, '/rollback'), { to: 'start', isPreview: true });
  expect([preview.status, preview.body['kind']]).toEqual([200, 'rollback.plan']);
  expect(JSON.stringify(preview.body['project'])).toContain('src/made.txt');
  expect(sandbox.read('src/made.txt')).toContain('changed again');
  const back = await page.post(path(run, '/rollback'), { to: 'start' });
  expect([back.status, back.body['kind']]).toEqual([200, 'run.rolled-back']);
  expect(() => sandbox.read('src/made.txt')).toThrow('ENOENT');
});

test('[U2] a workflow file that was corrected starts at once: the server keeps none of its code', async () => {
  const sandbox = scriptedProject({
    'odd.ts': ASK_THEN_WORK.replace("transitions: ['done']", "transitions: ['nowhere']"),
  });
  const page = await serve(sandbox);
  const refused = await page.post('/api/runs', { workflow: 'odd.ts' });
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'WORKFLOW_INVALID']);
  sandbox.write('odd.ts', ASK_THEN_WORK);
  const taken = await page.post('/api/runs', { workflow: 'odd.ts' });
  expect([taken.status, taken.body.error]).toEqual([200, undefined]);
});

test('[R1] a result is discarded and a run is archived over HTTP, and both are taken back', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const page = await serve(sandbox);
  const discarded = await page.post(path(run, '/discard'), {});
  expect(discarded.body).toMatchObject({ kind: 'result.discarded', run, removed: [`troupe/${run}`] });
  expect(await cardOf(page, run)).toMatchObject({ column: 'done', result: { state: 'discarded' } });
  const refused = await page.post(path(run, '/deliver'), {});
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'RESULT_DISCARDED']);
  expect((await page.post(path(run, '/discard'), { isUndone: true })).body).toMatchObject({ isUndone: true });
  expect(await cardOf(page, run)).toMatchObject({ column: 'ready', result: { state: 'waiting' } });
  expect((await page.post(path(run, '/archive'), {})).body).toMatchObject({ kind: 'run.archived', run });
  const listed = async (query: string) =>
    ((await page.get(`/api/runs${query}`)).body as unknown as { readonly cards: readonly unknown[] }).cards.length;
  expect([await listed(''), await listed('?isArchived=true')]).toEqual([0, 1]);
  await page.post(path(run, '/archive'), { isUndone: true });
  expect(await listed('')).toBe(1);
});
