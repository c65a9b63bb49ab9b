import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endingWorkflow, scriptedProject, TWO_STEPS } from './projects.ts';
import { jsonLines, type Running, type Sandbox } from './sandbox.ts';

const FILE = '.troupe/workflows/two_steps.json';
const GOOD = JSON.stringify(TWO_STEPS, null, 1);

/** Written aside and moved over: who reads it finds it whole. */
function put(sandbox: Sandbox, path: string, content: string): void {
  renameSync(sandbox.write(`${path}~`, content), join(sandbox.project, path));
}

interface Watching extends Running {
  /** The next thing it tells. */
  readonly next: () => Promise<Readonly<Record<string, unknown>>>;
  /** Interrupts it, as Ctrl-C does; gives all its output. */
  readonly end: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Running, and past its first look. */
async function watching(sandbox: Sandbox, words: readonly string[] = []) {
  const running = sandbox.start(['watch-files', '--json', ...words]);
  const next = async () => {
    const { value, done } = await running.lines.next();
    if (done === true) throw new Error(`it ended: ${(await running.ended).stderr}`);
    return JSON.parse(value) as Readonly<Record<string, unknown>>;
  };
  const end = async () => {
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    return jsonLines(stdout);
  };
  const watched: Watching = { ...running, next, end };
  let first = await next();
  while (first['kind'] !== 'files.watched') first = await next();
  return { watched, first };
}

test('[ST5] a file that changes is checked: a line when it is good, all of its problems when it is not', async () => {
  const sandbox = scriptedProject();
  const { watched, first } = await watching(sandbox);
  expect(first).toMatchObject({ bad: 0, files: expect.arrayContaining([FILE, '.troupe/config.yaml']) });
  put(sandbox, FILE, `\n${GOOD}`);
  expect(await watched.next()).toMatchObject({ kind: 'file.checked', file: FILE, ok: true, workflows: ['two_steps'] });
  const [start, ...others] = TWO_STEPS.states;
  const bad = { ...TWO_STEPS, states: [{ ...start, agent: 'nobody', transition: [{ target: 'nowhere' }] }, ...others] };
  put(sandbox, FILE, JSON.stringify(bad, null, 1));
  const printed = await watched.next();
  expect(printed).toMatchObject({ kind: 'file.checked', file: FILE, ok: false });
  const { items: checked } = JSON.parse((await sandbox.troupe(['check', FILE, '--json'])).stdout) as {
    readonly items: readonly object[];
  };
  expect(printed).toMatchObject(checked[0] ?? {});
  expect((printed['problems'] as readonly object[]).length).toBeGreaterThan(1);
  put(sandbox, FILE, GOOD);
  expect(await watched.next()).toMatchObject({ file: FILE, ok: true });
  await watched.end();
});

test('[ST5] in words it is one line for a good file, and Ctrl-C ends it with 130', async () => {
  const sandbox = scriptedProject();
  const { child, lines, ended } = sandbox.start(['watch-files']);
  expect((await lines.next()).value).toMatch(/^Watching \d+ files, all of them good\. Ctrl-C ends it\.$/);
  put(sandbox, FILE, `${GOOD}\n`);
  expect((await lines.next()).value).toBe(`${FILE}: ok (two_steps)`);
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
});

test('[ST5] what is bad from the beginning is reported, and a file that is written beside and moved over is seen', async () => {
  const sandbox = scriptedProject({ [FILE]: '{' });
  const running = sandbox.start(['watch-files', '--json']);
  expect(JSON.parse((await running.lines.next()).value as string)).toMatchObject({ file: FILE, ok: false });
  expect(JSON.parse((await running.lines.next()).value as string)).toMatchObject({ kind: 'files.watched', bad: 1 });
  put(sandbox, FILE, GOOD);
  expect(JSON.parse((await running.lines.next()).value as string)).toMatchObject({ file: FILE, ok: true });
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
});

test('[ST5] it survives files and folders that go and come again', async () => {
  const sandbox = scriptedProject();
  const { watched } = await watching(sandbox);
  rmSync(join(sandbox.project, FILE));
  expect(await watched.next()).toEqual({ kind: 'file.removed', file: FILE });
  put(sandbox, FILE, GOOD);
  expect(await watched.next()).toMatchObject({ kind: 'file.checked', file: FILE, ok: true });
  rmSync(join(sandbox.project, '.troupe/workflows'), { recursive: true });
  expect(await watched.next()).toEqual({ kind: 'file.removed', file: FILE });
  mkdirSync(join(sandbox.project, '.troupe/workflows'));
  put(sandbox, FILE, GOOD);
  expect(await watched.next()).toMatchObject({ kind: 'file.checked', file: FILE, ok: true });
  put(sandbox, '.troupe/roles/writer/CLAUDE.md', 'You write.');
  expect(await watched.next()).toMatchObject({ file: '.troupe/roles/writer/CLAUDE.md', ok: true });
  put(sandbox, '.troupe/roles/writer/CLAUDE.md', 'You write well.');
  expect(await watched.next()).toMatchObject({ file: '.troupe/roles/writer/CLAUDE.md', ok: true });
  await watched.end();
});

test('[ST5] a workflow that becomes bad because a role went away is reported, and again when it is good', async () => {
  const sandbox = scriptedProject();
  const { watched } = await watching(sandbox);
  const roles = sandbox.read('.troupe/roles/roles.json');
  put(sandbox, '.troupe/roles/roles.json', '{}');
  expect(await watched.next()).toMatchObject({ file: '.troupe/roles/roles.json', ok: true });
  expect(await watched.next()).toMatchObject({ file: FILE, ok: false, problems: [{ code: 'ROLE_UNKNOWN' }] });
  put(sandbox, '.troupe/roles/roles.json', roles);
  expect(await watched.next()).toMatchObject({ file: '.troupe/roles/roles.json', ok: true });
  expect(await watched.next()).toMatchObject({ file: FILE, ok: true });
  await watched.end();
});

test('[ST5] settings with errors are reported, and the rest waits until they are fixed', async () => {
  const sandbox = scriptedProject();
  const config = sandbox.read('.troupe/config.yaml');
  const { watched } = await watching(sandbox);
  put(sandbox, '.troupe/config.yaml', 'modles: {}\n');
  expect(await watched.next()).toMatchObject({ file: '.troupe/config.yaml', ok: false });
  put(sandbox, '.troupe/config.yaml', `${config}\n`);
  expect(await watched.next()).toMatchObject({ file: '.troupe/config.yaml', ok: true });
  await watched.end();
});

test('[ST5] types of agents and the words of their prompts are checked too', async () => {
  const sandbox = scriptedProject();
  const { watched } = await watching(sandbox);
  put(sandbox, '.troupe/agent-types/scout.yaml', 'mode: SLEEPING\n');
  expect(await watched.next()).toMatchObject({ file: '.troupe/agent-types/scout.yaml', ok: false });
  put(sandbox, '.troupe/agent-types/scout.yaml', 'description: Looks.\nmode: PLANNING\npreset: planning\n');
  expect(await watched.next()).toMatchObject({ file: '.troupe/agent-types/scout.yaml' });
  put(sandbox, '.troupe/prompts/communication.md', 'Speak plainly.\n');
  expect(await watched.next()).toMatchObject({ file: '.troupe/prompts/communication.md', ok: true });
  await watched.end();
});

test('[ST5] only what was named is reported, and what is named must be there', async () => {
  const sandbox = scriptedProject({ 'flow.json': GOOD });
  const { watched, first } = await watching(sandbox, ['flow.json']);
  expect(first).toMatchObject({ files: ['flow.json'] });
  put(sandbox, FILE, `${GOOD}\n`);
  put(sandbox, 'other.json', '{');
  put(sandbox, 'flow.json', `${GOOD}\n`);
  expect(await watched.next()).toMatchObject({ file: 'flow.json', ok: true });
  expect((await watched.end()).filter(({ kind }) => kind === 'file.checked')).toHaveLength(1);
  const refused = await sandbox.troupe(['watch-files', 'nothing.yaml']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('FILE_MISSING') });
});

test('[ST5] code is loaded again each time, with what it imports', async () => {
  const flow = endingWorkflow('ok').replace("name: 'ending'", 'name: NAME');
  const sandbox = scriptedProject({
    'flow.ts': `import { NAME } from './name.ts';\n${flow}`,
    'name.ts': "export const NAME = 'one';\n",
  });
  const { watched } = await watching(sandbox, ['flow.ts']);
  put(sandbox, 'name.ts', "export const NAME = 'two';\n");
  put(sandbox, 'flow.ts', `import { NAME } from './name.ts';\n\n${flow}`);
  expect(await watched.next()).toMatchObject({ file: 'flow.ts', ok: true, workflows: ['two'] });
  put(sandbox, 'flow.ts', 'process.exit(7);\n');
  expect(await watched.next()).toMatchObject({ file: 'flow.ts', ok: false, problems: [{ code: 'MODULE_FAILED' }] });
  await watched.end();
});

test('[ST5] a file that changes while it is checked is reported once, as it is then', async () => {
  const name = (content: string): string => GOOD.replace('two_steps', content);
  const code = `import { writeFileSync } from 'node:fs';
writeFileSync('flow.json', ${JSON.stringify(name('later'))});
${endingWorkflow('ok')}`;
  const sandbox = scriptedProject({ 'flow.ts': endingWorkflow('ok'), 'flow.json': GOOD, 'last.json': GOOD });
  const { watched } = await watching(sandbox, ['flow.ts', 'flow.json', 'last.json']);
  put(sandbox, 'flow.ts', code);
  expect(await watched.next()).toMatchObject({ file: 'flow.ts', ok: true });
  expect(await watched.next()).toMatchObject({ file: 'flow.json', ok: true, workflows: ['later'] });
  put(sandbox, 'last.json', name('last'));
  expect(await watched.next()).toMatchObject({ file: 'last.json', ok: true, workflows: ['last'] });
  await watched.end();
});

test('[ST5] code of the project that is not trusted is not run', async () => {
  const sandbox = scriptedProject();
  const { watched } = await watching(sandbox);
  const file = '.troupe/workflows/own.ts';
  put(
    sandbox,
    file,
    `import { writeFileSync } from 'node:fs';\nwriteFileSync('ran.txt', '');\n${endingWorkflow('ok')}`,
  );
  expect(await watched.next()).toMatchObject({ file, problems: [{ code: 'PROJECT_UNTRUSTED' }] });
  expect(() => sandbox.read('ran.txt')).toThrow('ENOENT');
  await watched.end();
});

test('[ST5] [L6] runs that are not over and whose files change are named: they keep the definition they began with', async () => {
  const sandbox = scriptedProject();
  const begun = await sandbox.troupe(['run', 'two_steps', 'Go', '--max-tokens', '1', '--json']);
  const run = jsonLines(begun.stdout)[0]?.['run'];
  const { watched } = await watching(sandbox);
  // What says the same is no change for a run.
  put(sandbox, FILE, `\n${GOOD}`);
  expect(await watched.next()).toMatchObject({ kind: 'file.checked' });
  put(sandbox, FILE, GOOD.replace('one word', 'two words'));
  expect(await watched.next()).toMatchObject({ kind: 'file.checked', ok: true });
  expect(await watched.next()).toMatchObject({ kind: 'run.keeps', run, workflow: 'two_steps', state: 'changed' });
  put(sandbox, '.troupe/roles/roles.json', '{ "worker": { "level": "base", "systemMessage": "You rest." } }');
  expect(await watched.next()).toMatchObject({ kind: 'file.checked', ok: true });
  expect(await watched.next()).toMatchObject({
    kind: 'run.keeps',
    run,
    lines: expect.arrayContaining(['role "worker": systemMessage']),
  });
  put(sandbox, FILE, '{');
  expect(await watched.next()).toMatchObject({ kind: 'file.checked', ok: false });
  expect(await watched.next()).toMatchObject({ kind: 'run.keeps', run, state: 'broken' });
  await watched.end();
});
