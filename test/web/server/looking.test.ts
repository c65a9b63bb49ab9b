import { expect, test } from 'vitest';
import { git, gitProject, writingRun } from '../../cli/file-projects.ts';
import { endingWorkflow, scriptedProject } from '../../cli/projects.ts';
import type { Sandbox } from '../../cli/sandbox.ts';
import { damageRecords } from './damage.ts';
import { path, serve } from './served.ts';

const OUTER = `import { defineWorkflow } from 'troupe';
const inner = defineWorkflow({ name: 'inner', data: {}, states: { start: { transitions: ['done'] }, done: { kind: 'end' } } });
export const outer = defineWorkflow({
  name: 'outer',
  data: {},
  states: { start: { work: { kind: 'call', workflow: inner }, transitions: ['done'] }, done: { kind: 'end' } },
});
`;

const printed = async (sandbox: Sandbox, ...words: readonly string[]): Promise<unknown> =>
  JSON.parse((await sandbox.troupe([...words, '--json'])).stdout) as unknown;

// A dozen processes, one after the other.
test('[U2] the page gets what the command line prints', { timeout: 120_000 }, async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const page = await serve(sandbox);
  const same = [
    ['', ['show', run]],
    ['/artifacts', ['artifacts', run]],
    ['/changes', ['diff', run]],
    ['/changes?against=trunk&stat=1', ['diff', run, '--against', 'trunk', '--stat']],
    ['/branches', ['diff', run, '--branches']],
    ['/changes?from=start&to=again&stat=1', ['diff', run, '--from', 'start', '--to', 'again', '--stat']],
  ] as const;
  for (const [rest, words] of same) {
    const answer = await page.get(path(run, rest));
    expect([rest, answer.status]).toEqual([rest, 200]);
    expect(answer.body).toEqual(await printed(sandbox, ...words));
  }
  expect((await page.get(path(run, '/metrics'))).body).toMatchObject({ kind: 'metrics', runs: [{ run }] });
  const messages = await page.get(path(run, '/messages'));
  expect(messages.status).toBe(200);
  expect((await page.get(path(run, '/questions'))).body).toEqual({ kind: 'questions', run, items: [], next: null });
  expect((await page.get(path(run, '/logs'))).body).toEqual({ kind: 'lines', run, items: [], next: null });
  expect((await page.get(path(run, '/definition'))).body).toMatchObject({ workflow: { name: 'two_steps' } });
});

test('[U2] what is not there is a 404 that says what is missing', async () => {
  const sandbox = scriptedProject({ 'ending.ts': endingWorkflow('ok') });
  await sandbox.troupe(['run', 'ending.ts']);
  const [{ run } = { run: '' }] = ((await printed(sandbox, 'list')) as { items: { run: string }[] }).items;
  const page = await serve(sandbox);
  const missing = [
    ['/api/runs/none', 'RUN_UNKNOWN'],
    ['/api/runs/--help', 'RUN_UNKNOWN'],
    [path(`${run}/t9`), 'RUN_UNKNOWN'],
    [path(run, '/debate'), 'REVIEW_NONE'],
    [path(run, '/changes'), 'FILES_NONE'],
    [path(run, '/file?path=x'), 'FILES_NONE'],
    [path(run, '/artifacts/none'), 'ARTIFACT_UNKNOWN'],
    [path(run, '/artifacts/--why'), 'ARTIFACT_UNKNOWN'],
    [path(run, '/nothing'), 'ROUTE_UNKNOWN'],
  ] as const;
  for (const [at, code] of missing) {
    const { status, body } = await page.get(at);
    expect([at, status, body.error?.code]).toEqual([at, 404, code]);
  }
  expect((await page.get(path(run, '/logs?task=--raw'))).body).toMatchObject({ kind: 'lines', items: [] });
  expect((await page.get(path(run, '/compare?between=one'))).status).toBe(400);
});

test('[U2] files are given as they were at a record, as text or bytes, and never as something a browser would run', async () => {
  const sandbox = gitProject({
    'page.html': '<script>alert(1)</script>',
    'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'na"me\r\nSet-Cookie: x=1.txt': 'odd',
  });
  const { run } = await writingRun(sandbox);
  const page = await serve(sandbox);
  const file = (name: string, rest = '') => page.get(path(run, `/file?path=${encodeURIComponent(name)}${rest}`));
  expect((await file('src/made.txt')).text).toBe('made by the run\nand changed again\n');
  expect((await file('src/made.txt', '&at=1')).body.error?.code).toBe('FILE_MISSING');
  for (const name of ['page.html', 'drawing.svg']) {
    const { headers } = await file(name);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
  const odd = await file('na"me\r\nSet-Cookie: x=1.txt', '&download=1');
  expect(odd.text).toBe('odd');
  expect(odd.headers['content-disposition']).toBe(
    "attachment; filename*=UTF-8''na%22me%0D%0ASet-Cookie%3A%20x%3D1.txt",
  );
  expect(odd.headers['set-cookie']).toBeUndefined();
  for (const name of ['../../etc/passwd', '/etc/passwd', 'src', '.git/config', 'src/../../x']) {
    expect([name, (await file(name)).body.error?.code]).toEqual([name, 'FILE_MISSING']);
  }
  expect((await file('x', '&workspace=other')).body.error?.code).toBe('WORKSPACE_UNKNOWN');
  expect((await file('x', '&at=-1')).status).toBe(400);
});

test('[U2] a file is given as it is in either tree of a comparison, whatever it is called', async () => {
  const name = 'src/ke\u{202E}pt.txt';
  const sandbox = gitProject({ [name]: 'odd\n', 'src/kept.txt': 'one\ntwo\n' });
  git(sandbox, 'branch', 'before');
  const { run } = await writingRun(sandbox);
  const page = await serve(sandbox);
  const { body } = await page.get(path(run, '/changes?against=before'));
  const file = (at: string, tree: unknown) =>
    page.get(path(run, `/file?path=${encodeURIComponent(at)}&tree=${String(tree)}`));
  expect((await file('src/kept.txt', body['before'])).text).toBe('one\ntwo\n');
  expect((await file('src/kept.txt', body['after'])).text).toBe('one\nTWO\n');
  expect((await file('src/made.txt', body['before'])).body.error?.code).toBe('FILE_MISSING');
  expect((await file(String.raw`"src/ke\u{202e}pt.txt"`, body['after'])).text).toBe('odd\n');
  expect((await file('src/kept.txt', '0'.repeat(40))).body.error?.code).toBe('FILES_PRUNED');
  expect((await file('src/kept.txt', '../../x')).status).toBe(400);
});

test('[U2] a name that is no commit is a 404 that names the branches, also one that looks like an option', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const page = await serve(sandbox);
  for (const ref of ['nowhere', '--stat', '-']) {
    const { status, body } = await page.get(path(run, `/changes?against=${encodeURIComponent(ref)}`));
    expect([ref, status, body.error?.code]).toEqual([ref, 404, 'REF_UNKNOWN']);
    expect(body.error?.hint).toContain('trunk');
  }
  expect((await page.get(path(run, '/changes?against=trunk&project=1'))).status).toBe(400);
});

test('[U2] the run of a child is named by its whole way, encoded', async () => {
  const sandbox = scriptedProject({ 'outer.ts': OUTER });
  const ran = await sandbox.troupe(['run', 'outer.ts']);
  expect(ran.stderr).not.toContain('troupe:');
  const page = await serve(sandbox);
  const [{ run } = { run: '' }] = ((await printed(sandbox, 'list')) as { items: { run: string }[] }).items;
  const { body } = await page.get(path(run));
  const [child = ''] = body['children'] as string[];
  expect(child.startsWith(`${run}/`)).toBe(true);
  expect((await page.get(path(child))).body).toMatchObject({ run: child, parent: run });
});

test('[U2] a damaged run is reported as damaged, and harms no other', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'Soiled']);
  await sandbox.troupe(['run', 'two_steps', 'Two']);
  const [second, first] = ((await printed(sandbox, 'list')) as { items: { run: string }[] }).items;
  const page = await serve(sandbox);
  damageRecords(sandbox.home, 'Soiled');
  const damaged = await page.get(path(first?.run ?? ''));
  expect([damaged.status, damaged.body.error?.code]).toEqual([500, 'JOURNAL_DAMAGED']);
  expect((await page.get(path(second?.run ?? ''))).status).toBe(200);
  expect((await page.get('/api/about')).status).toBe(200);
});

test('[U2] what was pruned while it was looked at is gone, and says so; its journal stays', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const page = await serve(sandbox);
  expect((await page.get(path(run, '/file?path=src/made.txt'))).status).toBe(200);
  await sandbox.troupe(['prune', '--older-than', '0s', '--keep', '0']);
  const seen = await page.get(path(run));
  expect(seen.status).toBe(200);
  expect((await page.get(path(run, '/changes'))).status).toBeLessThan(500);
});
