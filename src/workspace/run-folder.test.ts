import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { isFault } from '../core/fault.ts';
import { readManifest } from './manifest.ts';
import { prepareRunFolder } from './run-folder.ts';
import { git, testProject, writeFiles } from './test-project.ts';

/** All that is not a folder, no link followed. */
const tree = (folder: string) =>
  execFileSync('find', [folder, '!', '-type', 'd', '-printf', '%P\\0'], { encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '')
    .sort();

const codeOf = async (action: Promise<unknown>) => {
  const error: unknown = await action.then(
    () => 'no fault',
    (reason: unknown) => reason,
  );
  return isFault(error) ? error.code : error;
};

test('[SM11] outside git everything is copied except control folders and packages', async () => {
  const { project, home } = testProject({
    'a.txt': 'a',
    'src/b.ts': 'b',
    '.env.example': '',
    'node_modules/x/index.js': '',
    'sub/node_modules/y.js': '',
    '.troupe/tools/x.ts': '',
    'sub/.git/config': '',
  });
  mkdirSync(join(project, 'empty'));
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  expect(folder).toBe(join(home, 'runs', 'r1', 'work'));
  expect(tree(folder)).toEqual(['.env.example', 'a.txt', 'src/b.ts']);
  expect(statSync(join(folder, 'empty')).isDirectory()).toBe(true);
  expect(readdirSync(join(home, 'runs', 'r1')).sort()).toEqual(['home', 'manifest.json', 'tmp', 'work']);
});

test('[SM11] in git it is what git knows and what is new and not ignored, as it lies in the folder', async () => {
  const { project, home } = testProject({
    '.gitignore': 'dist/\n.env\n',
    'known.txt': 'committed',
    'gone.txt': 'removed by the user',
    'forced.log': 'tracked',
    '.troupe/workflows/w.json': '{}',
  });
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
  writeFiles(project, {
    'known.txt': 'changed, not committed',
    'new.txt': 'untracked',
    'dist/out.js': '',
    '.env': 'SECRET=1',
  });
  rmSync(join(project, 'gone.txt'));
  const before = git(project, 'status', '--porcelain=v2');
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  expect(tree(folder)).toEqual(['.gitignore', 'forced.log', 'known.txt', 'new.txt']);
  expect(readFileSync(join(folder, 'known.txt'), 'utf8')).toBe('changed, not committed');
  expect(git(project, 'status', '--porcelain=v2')).toBe(before);
});

test('[SM11] a folder inside a repository is copied alone, and one that the repository ignores is a project of its own', async () => {
  const { project, home } = testProject({
    '.gitignore': 'scratch/\n',
    'top.txt': '',
    'part/a.txt': '',
    'scratch/b.txt': '',
  });
  git(project, 'init', '-q');
  expect(tree(await prepareRunFolder({ home, run: 'part', project: join(project, 'part') }))).toEqual(['a.txt']);
  expect(tree(await prepareRunFolder({ home, run: 'scratch', project: join(project, 'scratch') }))).toEqual(['b.txt']);
});

test('[SM11] repositories inside the repository come along, without their git folders', async () => {
  const { project, home } = testProject({
    'a.txt': '',
    'nested/b.txt': '',
    'nested/.gitignore': 'skip\n',
    'nested/skip': '',
  });
  git(project, 'init', '-q');
  git(join(project, 'nested'), 'init', '-q');
  git(join(project, 'nested'), 'add', '-A');
  git(join(project, 'nested'), 'commit', '-qm', 'first');
  expect(tree(await prepareRunFolder({ home, run: 'untracked', project }))).toEqual([
    'a.txt',
    'nested/.gitignore',
    'nested/b.txt',
  ]);
  git(project, 'add', '-A');
  expect(tree(await prepareRunFolder({ home, run: 'gitlink', project }))).toEqual([
    'a.txt',
    'nested/.gitignore',
    'nested/b.txt',
  ]);
});

test('[L8] nothing that the project configures in git gets to run', async () => {
  const { project, home } = testProject({ 'a.txt': 'x', '.gitattributes': '* filter=evil\n' });
  const proof = join(home, '..', 'ran');
  const script = join(project, '..', 'evil.sh');
  writeFileSync(script, `#!/bin/sh\necho ran >> ${proof}\n`);
  chmodSync(script, 0o755);
  git(project, 'init', '-q');
  for (const name of [
    'core.fsmonitor',
    'filter.evil.clean',
    'filter.evil.smudge',
    'core.pager',
    'core.editor',
    'diff.external',
  ]) {
    git(project, 'config', name, script);
  }
  writeFiles(project, { '.git/hooks/post-index-change': `#!/bin/sh\necho hook >> ${proof}\n` });
  chmodSync(join(project, '.git/hooks/post-index-change'), 0o755);
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  expect(tree(folder)).toEqual(['.gitattributes', 'a.txt']);
  expect(existsSync(proof)).toBe(false);
});

test('[SM11] bytes, line ends, modes and odd names are kept exactly', async () => {
  const { project, home } = testProject({
    'crlf.txt': 'a\r\nb\r\n',
    'run.sh': '#!/bin/sh\n',
    'secret.key': 'k',
    'line\nbreak': '1',
    '\u001b[31mred': '2',
    ['é'.normalize('NFC')]: '3',
    'bytes.bin': Buffer.from([0, 255, 13, 10]),
    '-rf': '4',
  });
  chmodSync(join(project, 'run.sh'), 0o755);
  chmodSync(join(project, 'secret.key'), 0o600);
  const odd = Buffer.concat([Buffer.from(`${project}/`), Buffer.from([0x66, 0xff, 0xfe])]);
  writeFileSync(odd, 'not utf-8');
  for (const run of ['plain', 'git']) {
    if (run === 'git') git(project, 'init', '-q');
    const folder = await prepareRunFolder({ home, run, project });
    execFileSync('/usr/bin/env', ['diff', '-r', '--exclude=.git', project, folder]);
    expect(statSync(join(folder, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder, { encoding: 'buffer' })).toHaveLength(9);
  }
});

test('[SM11] links that stay inside are copied as links, others are left out and told', async () => {
  const { project, home } = testProject({ 'dir/a.txt': 'a', 'outside.txt': '' });
  const links = {
    inside: 'dir/a.txt',
    'dir/up': '../outside.txt',
    folder: 'dir',
    dangling: 'dir/none',
    absolute: '/etc/passwd',
    above: '../home',
    'dir/above': '../../x',
    sneaky: 'folder/../../x',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(project, name));
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  expect(tree(folder)).toEqual(['dangling', 'dir/a.txt', 'dir/up', 'folder', 'inside', 'outside.txt']);
  expect(readlinkSync(join(folder, 'dir/up'))).toBe('../outside.txt');
  expect(lstatSync(join(folder, 'folder')).isSymbolicLink()).toBe(true);
  const { skipped } = await readManifest(join(home, 'runs', 'r1', 'manifest.json'));
  expect(skipped.map(({ path }) => path).sort()).toEqual(['above', 'absolute', 'dir/above', 'sneaky']);
});

test('[SM11] pipes and sockets do not hang the copy', async () => {
  const { project, home } = testProject({ 'a.txt': '' });
  execFileSync('/usr/bin/env', ['mkfifo', join(project, 'pipe')]);
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  expect(tree(folder)).toEqual(['a.txt']);
});

test('[L6] a folder that is there is given back as it is', async () => {
  const { project, home } = testProject({ 'a.txt': 'first' });
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  writeFileSync(join(folder, 'a.txt'), 'changed by an agent');
  writeFileSync(join(project, 'a.txt'), 'changed by the user');
  expect(await prepareRunFolder({ home, run: 'r1', project })).toBe(folder);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('changed by an agent');
});

test('[L6] two who ask at the same time get one folder', async () => {
  const { project, home } = testProject({ 'a.txt': '' });
  const ask = () => prepareRunFolder({ home, run: 'r1', project });
  expect(new Set(await Promise.all([ask(), ask(), ask()])).size).toBe(1);
  expect(readdirSync(join(home, 'runs', 'r1')).sort()).toEqual(['home', 'manifest.json', 'tmp', 'work']);
});

test('[L6] killed half way, there is no folder; asked again, it is whole and nothing else is left', async () => {
  const { project, home } = testProject();
  for (let at = 0; at < 2000; at += 1) writeFileSync(join(project, `f${at}`), `${at}`);
  const module = pathToFileURL(join(import.meta.dirname, 'run-folder.ts')).href;
  const source = `import { prepareRunFolder } from ${JSON.stringify(module)};
    await prepareRunFolder(${JSON.stringify({ home, run: 'r1', project })});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => {
    child.once('exit', (_code, signal) => resolve(signal));
  });
  const base = join(home, 'runs', 'r1');
  const unfinished = () =>
    (existsSync(base) ? readdirSync(base) : []).find((name) => name.startsWith('work-unfinished-'));
  const copied = () => readdirSync(join(base, unfinished() ?? '.')).length;
  await expect
    .poll(() => (unfinished() === undefined ? 0 : copied()), { interval: 1, timeout: 20_000 })
    .toBeGreaterThan(10);
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  expect(existsSync(join(base, 'work'))).toBe(false);
  expect(unfinished()).toBeDefined();
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  expect(readdirSync(folder)).toHaveLength(2000);
  expect(readdirSync(base).sort()).toEqual(['home', 'manifest.json', 'tmp', 'work']);
});

test('[L3] a project over the limits is refused with a code, and leaves nothing', async () => {
  const { project, home } = testProject({ a: '12345', b: '12345', c: '12345' });
  const limits = (maxFiles: number, maxBytes: number) =>
    prepareRunFolder({ home, run: 'r1', project, limits: { maxFiles, maxBytes } });
  expect(await codeOf(limits(2, 1000))).toBe('PROJECT_TOO_LARGE');
  expect(await codeOf(limits(10, 14))).toBe('PROJECT_TOO_LARGE');
  expect(readdirSync(join(home, 'runs', 'r1')).sort()).toEqual(['home', 'tmp']);
  expect(tree(await limits(3, 15))).toEqual(['a', 'b', 'c']);
});

test('[SM11] a missing or empty project gives an empty folder; a file is no project', async () => {
  const { project, home } = testProject();
  expect(readdirSync(await prepareRunFolder({ home, run: 'empty', project }))).toEqual([]);
  expect(readdirSync(await prepareRunFolder({ home, run: 'none', project: join(project, 'none') }))).toEqual([]);
  writeFileSync(join(project, 'file'), '');
  expect(await codeOf(prepareRunFolder({ home, run: 'file', project: join(project, 'file') }))).toBe(
    'PROJECT_NOT_A_FOLDER',
  );
});

test.each(['a/b', '..', '', '.hidden', 'a\0b', '/abs'])('[L3] %j is no id for a run folder', async (run) => {
  const { project, home } = testProject();
  expect(await codeOf(prepareRunFolder({ home, run, project }))).toBe('RUN_ID_INVALID');
});

test("[SM11] the engine's own home inside the project is not copied into itself", async () => {
  const { project } = testProject({ 'a.txt': '', 'data/b.txt': '' });
  const home = join(project, 'data', 'home');
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  expect(tree(folder)).toEqual(['a.txt', 'data/b.txt']);
});
