import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runId, treeId } from '../core/model/ids.ts';
import { git, testProject, writeFiles } from './testing/test-project.ts';
import { faultCode, filesIn, METHODS, testWorkspaces } from './testing/test-workspaces.ts';

test.for(METHODS)(
  '[SM11] outside git everything comes along except control folders and packages (%s)',
  async (method) => {
    const place = testProject({
      'a.txt': 'a',
      'src/b.ts': 'b',
      '.env.example': '',
      'node_modules/x/index.js': '',
      'sub/node_modules/y.js': '',
      '.troupe/tools/x.ts': '',
      'sub/.git/config': '',
    });
    mkdirSync(join(place.project, 'empty'));
    const { workspaces, open } = testWorkspaces(place, { settings: { method } });
    const state = await workspaces.begin(place.project);
    expect(state).toMatchObject({ source: 'plain', files: 3, skipped: [] });
    const { folder } = await open(state.tree);
    expect(workspaces.folderOf(runId('r1'), 'main')).toBe(join(place.home, 'runs', 'r1', 'work'));
    expect(folder.endsWith(workspaces.folderOf(runId('r1'), 'main'))).toBe(true);
    expect(filesIn(folder)).toEqual(['.env.example', 'a.txt', 'src/b.ts']);
    expect(statSync(join(folder, 'empty')).isDirectory()).toBe(true);
    expect(existsSync(join(folder, '.git'))).toBe(false);
  },
);

test.for(METHODS)(
  '[SM11] in git it is what git knows and what is new and not ignored, as it lies in the folder (%s)',
  async (method) => {
    const place = testProject({
      '.gitignore': 'dist/\n.env\n*.log\n',
      'known.txt': 'committed',
      'gone.txt': 'removed by the user',
      '.troupe/workflows/w.json': '{}',
    });
    writeFiles(place.project, { 'forced.log': 'tracked' });
    git(place.project, 'init', '-q');
    git(place.project, 'add', '-Af', '.');
    git(place.project, 'commit', '-qm', 'first');
    writeFiles(place.project, {
      'known.txt': 'changed, not committed',
      'new.txt': 'untracked',
      'dist/out.js': '',
      '.env': 'SECRET=1',
    });
    rmSync(join(place.project, 'gone.txt'));
    const before = git(place.project, 'status', '--porcelain=v2');
    const { start } = testWorkspaces(place, { settings: { method } });
    const workspace = await start();
    expect(filesIn(workspace.folder)).toEqual(['.gitignore', 'forced.log', 'known.txt', 'new.txt']);
    expect(readFileSync(join(workspace.folder, 'known.txt'), 'utf8')).toBe('changed, not committed');
    expect(git(place.project, 'status', '--porcelain=v2')).toBe(before);
  },
);

test('[SM11] ignored files come along as configured', async () => {
  const place = testProject({
    '.gitignore': 'dist/\n.env*\n',
    'a.txt': '',
    'dist/out.js': '',
    '.env': 'SECRET=1',
    '.env.test': 'TEST=1',
  });
  git(place.project, 'init', '-q');
  const some = testWorkspaces(place, { settings: { ignored: ['.env.test'] } });
  const workspace = await some.start();
  expect(filesIn(workspace.folder)).toEqual(['.env.test', '.gitignore', 'a.txt']);
  const before = await workspace.record();
  writeFiles(workspace.folder, { '.env.test': 'TEST=2', '.env': 'SECRET=2' });
  const store = await some.workspaces.store(place.project);
  expect((await store.compare(before, await workspace.record())).map(({ path }) => path)).toEqual(['.env.test']);
  const all = testWorkspaces(place, { settings: { ignored: 'copy' } });
  expect(filesIn((await all.start('r2')).folder)).toEqual(['.env', '.env.test', '.gitignore', 'a.txt', 'dist/out.js']);
});

test('[SM11] a folder inside a repository comes alone, and one that the repository ignores is a separate project', async () => {
  const { project, home } = testProject({
    '.gitignore': 'scratch/\n*.log\n',
    'top.txt': '',
    'part/a.txt': '',
    'part/x.log': '',
    'scratch/b.txt': '',
  });
  git(project, 'init', '-q');
  const part = await testWorkspaces({ home, project: join(project, 'part') }).start();
  expect(filesIn(part.folder)).toEqual(['a.txt']);
  const before = await part.record();
  writeFiles(part.folder, { 'y.log': 'ignored from above' });
  expect(await part.record()).toBe(before);
  const scratch = await testWorkspaces({ home, project: join(project, 'scratch') }).start('r2');
  expect(filesIn(scratch.folder)).toEqual(['b.txt']);
});

test('[SM11] repositories inside the repository come along, without their git folders', async () => {
  const place = testProject({ 'a.txt': '', 'nested/b.txt': '', 'nested/.gitignore': 'skip\n', 'nested/skip': '' });
  git(place.project, 'init', '-q');
  const nested = join(place.project, 'nested');
  git(nested, 'init', '-q');
  git(nested, 'add', '-A');
  git(nested, 'commit', '-qm', 'first');
  const { start } = testWorkspaces(place);
  const expected = ['a.txt', 'nested/.gitignore', 'nested/b.txt'];
  const untracked = await start('untracked');
  expect(filesIn(untracked.folder)).toEqual(expected);
  git(place.project, 'add', '-A');
  const linked = await start('gitlink');
  expect(filesIn(linked.folder)).toEqual(expected);
  expect(await linked.record()).toBe(await untracked.record());
});

test('[L8] nothing that the project configures in git gets to run', async () => {
  const place = testProject({ 'a.txt': 'x', '.gitattributes': '* filter=evil\n' });
  const { project, home } = place;
  const proof = join(home, '..', 'ran');
  const script = join(project, '..', 'evil.sh');
  writeFileSync(script, `#!/bin/sh\necho ran >> ${proof}\n`);
  chmodSync(script, 0o755);
  git(project, 'init', '-q');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'first');
  const names = ['core.fsmonitor', 'filter.evil.clean', 'filter.evil.smudge', 'core.pager', 'core.editor'];
  for (const name of [...names, 'diff.external', 'core.sshCommand']) git(project, 'config', name, script);
  for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction']) {
    writeFiles(project, { [`.git/hooks/${hook}`]: `#!/bin/sh\necho hook >> ${proof}\n` });
    chmodSync(join(project, '.git/hooks', hook), 0o755);
  }
  const workspace = await testWorkspaces(place).start();
  expect(filesIn(workspace.folder)).toEqual(['.gitattributes', 'a.txt']);
  expect(existsSync(proof)).toBe(false);
});

test.for(METHODS)('[SM11] bytes, line ends, modes and odd names are kept exactly (%s)', async (method) => {
  const place = testProject({
    'crlf.txt': 'a\r\nb\r\n',
    'run.sh': '#!/bin/sh\n',
    'secret.key': 'k',
    'line\nbreak': '1',
    '\u001b[31mred': '2',
    ['é'.normalize('NFC')]: '3',
    'bytes.bin': Buffer.from([0, 255, 13, 10]),
    '-rf': '4',
    'closed/x': '5',
  });
  const { project } = place;
  chmodSync(join(project, 'run.sh'), 0o755);
  chmodSync(join(project, 'secret.key'), 0o600);
  chmodSync(join(project, 'closed'), 0o555);
  const odd = Buffer.concat([Buffer.from(`${project}/`), Buffer.from([0x66, 0xff, 0xfe])]);
  writeFileSync(odd, 'not utf-8');
  const { start } = testWorkspaces(place, { settings: { method } });
  for (const run of ['plain', 'git']) {
    if (run === 'git') git(project, 'init', '-q');
    const { folder } = await start(run);
    execFileSync('/usr/bin/env', ['diff', '-r', '--exclude=.git', project, folder]);
    expect(statSync(join(folder, 'run.sh')).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'closed')).mode & 0o777).toBe(0o555);
  }
  openFolders(join(project, '..'));
});

test.for(METHODS)(
  '[SM11] links come along as links wherever they lead, special files are left out and reported (%s)',
  async (method) => {
    const place = testProject({ 'dir/a.txt': 'a', 'outside.txt': '' });
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
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(place.project, name));
    execFileSync('/usr/bin/env', ['mkfifo', join(place.project, 'pipe')]);
    const { workspaces, open } = testWorkspaces(place, { settings: { method } });
    const state = await workspaces.begin(place.project);
    const workspace = await open(state.tree);
    expect(filesIn(workspace.folder)).toEqual([...Object.keys(links), 'dir/a.txt', 'outside.txt'].sort());
    for (const [name, target] of Object.entries(links)) {
      expect(readlinkSync(join(workspace.folder, name))).toBe(target);
    }
    expect(state.files).toBe(10);
    expect(state.skipped).toEqual([{ path: 'pipe', why: 'special' }]);
    expect(await workspace.record()).toBe(state.tree);
  },
);

test.for(METHODS)(
  '[L6] a workspace is made, put back, or made again from the tree that is asked for (%s)',
  async (method) => {
    const place = testProject({ 'a.txt': 'first', 'b.txt': 'b' });
    const { workspaces, open } = testWorkspaces(place, { settings: { method } });
    const { tree } = await workspaces.begin(place.project);
    const workspace = await open(tree);
    writeFiles(workspace.folder, { 'a.txt': 'changed by an agent', 'new/c.txt': '' });
    const later = await workspace.record(['a.txt', 'new/c.txt']);
    writeFiles(place.project, { 'a.txt': 'changed by the user' });
    await open(tree);
    expect(filesIn(workspace.folder)).toEqual(['a.txt', 'b.txt']);
    rmSync(join(place.home, 'runs'), { recursive: true });
    const again = await open(later);
    expect(readFileSync(join(again.folder, 'a.txt'), 'utf8')).toBe('changed by an agent');
    expect(await again.record()).toBe(later);
    await again.restore(tree);
    expect(readFileSync(join(again.folder, 'a.txt'), 'utf8')).toBe('first');
    expect(await again.record()).toBe(tree);
  },
);

test.for(METHODS)(
  '[PD1] workspaces of one run are apart, each with a home and temporary folder that are not in it (%s)',
  async (method) => {
    const place = testProject({ 'a.txt': 'a' });
    const { workspaces, open } = testWorkspaces(place, { settings: { method } });
    const { tree } = await workspaces.begin(place.project);
    const [one, two] = await Promise.all([open(tree, 'main'), open(tree, 'agent-2')]);
    expect(two.folder.endsWith(join(place.home, 'runs', 'r1', 'workspaces', 'agent-2'))).toBe(true);
    writeFiles(one.folder, { 'a.txt': 'one' });
    expect(await two.record()).toBe(tree);
    const own = [one, two].flatMap(({ environment }) => [environment['HOME'] ?? '', environment['TMPDIR'] ?? '']);
    expect(new Set(own).size).toBe(4);
    for (const path of own) {
      expect(statSync(path).isDirectory()).toBe(true);
      expect([one, two].some(({ folder }) => path.startsWith(`${folder}/`))).toBe(false);
    }
    expect(two.folders.filter(({ access }) => access === 'write').map(({ path }) => path)).toEqual(own.slice(2));
  },
);

test.for(METHODS)('[L6] two who ask at the same time get one folder (%s)', async (method) => {
  const place = testProject({ 'a.txt': '' });
  const { workspaces, open } = testWorkspaces(place, { settings: { method } });
  const { tree } = await workspaces.begin(place.project);
  const asked = await Promise.all([open(tree), open(tree), open(tree)]);
  expect(new Set(asked).size).toBe(1);
  expect(readdirSync(join(place.home, 'runs', 'r1')).sort()).toEqual(['home', 'kept', 'rules.json', 'tmp', 'work']);
});

test('[L6] killed half way, there is no folder; asked again, it is whole and nothing else is left', async () => {
  const place = testProject();
  for (let at = 0; at < 800; at += 1) writeFileSync(join(place.project, `f${at}`), `${at}`);
  const { workspaces, open } = testWorkspaces(place);
  const { tree } = await workspaces.begin(place.project);
  const module = pathToFileURL(join(import.meta.dirname, 'workspaces.ts')).href;
  const source = `import { createWorkspaces } from ${JSON.stringify(module)};
    const workspaces = createWorkspaces(${JSON.stringify({ home: place.home })});
    await workspaces.open(${JSON.stringify({ root: 'r1', name: 'main', project: place.project, tree })});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => {
    child.once('exit', (_code, signal) => resolve(signal));
  });
  const kept = join(place.home, 'runs', 'r1', 'kept', 'main');
  while (child.exitCode === null && !(existsSync(kept) && readdirSync(kept).some((name) => name.startsWith('unf')))) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  expect(existsSync(workspaces.folderOf('r1' as never, 'main'))).toBe(false);
  const workspace = await open(tree);
  expect(filesIn(workspace.folder)).toHaveLength(800);
  expect(await workspace.record()).toBe(tree);
  expect(readdirSync(kept).filter((name) => name.startsWith('unf'))).toEqual([]);
});

test.for(METHODS)(
  '[SM11] an agent cannot hide files by editing ignore rules, nor make ignored ones count (%s)',
  async (method) => {
    const place = testProject({ '.gitignore': 'dist/\n', 'a.txt': 'a' });
    git(place.project, 'init', '-q');
    const { workspaces, open } = testWorkspaces(place, { settings: { method } });
    const { tree } = await workspaces.begin(place.project);
    const workspace = await open(tree);
    writeFiles(workspace.folder, {
      '.gitignore': 'hidden\n',
      hidden: 'x',
      'dist/out.js': 'built',
      'sub/.gitignore': '*',
    });
    const store = await workspaces.store(place.project);
    const changes = await store.compare(tree, await workspace.record());
    expect(changes.map(({ path }) => path)).toEqual(['.gitignore', 'hidden', 'sub/.gitignore']);
    await workspace.restore(tree);
    expect(filesIn(workspace.folder)).toEqual(['.gitignore', 'a.txt', 'dist/out.js']);
    const again = testWorkspaces(place, { settings: { method } });
    writeFiles(place.project, { '.gitignore': 'hidden\n' });
    const resumed = await again.open(tree);
    writeFiles(resumed.folder, { hidden: 'x' });
    expect(await resumed.record()).not.toBe(tree);
  },
);

test.for(METHODS)(
  '[L3] a workspace that somebody deleted is reported, never recorded as empty (%s)',
  async (method) => {
    const place = testProject({ 'a.txt': '' });
    const { workspaces, start } = testWorkspaces(place, { settings: { method } });
    const workspace = await start();
    const folder = workspaces.folderOf(runId('r1'), 'main');
    renameSync(folder, `${folder}-away`);
    expect(await faultCode(workspace.record())).toBe('WORKSPACE_MISSING');
    symlinkSync(`${folder}-away`, folder);
    expect(await faultCode(workspace.record())).toBe('WORKSPACE_MISSING');
  },
);

test('[L3] a project beyond the limits is refused before anything of it is kept', async () => {
  const place = testProject({ a: '12345', b: '12345', c: '12345' });
  const limits = (maxFiles: number, maxBytes: number) =>
    testWorkspaces(place, { settings: { maxFiles, maxBytes } }).workspaces.begin(place.project);
  for (const source of ['plain', 'git']) {
    if (source === 'git') git(place.project, 'init', '-q');
    expect(await faultCode(limits(2, 1000))).toBe('PROJECT_TOO_LARGE');
    expect(await faultCode(limits(10, 14))).toBe('PROJECT_TOO_LARGE');
    expect(await limits(3, 15)).toMatchObject({ files: 3, source });
  }
});

test.for(METHODS)(
  '[SM11] a missing or empty project gives an empty workspace; a file is no project (%s)',
  async (method) => {
    const place = testProject();
    expect(readdirSync((await testWorkspaces(place, { settings: { method } }).start()).folder)).toEqual([]);
    const none = { ...place, project: join(place.project, 'none') };
    const { workspaces, open } = testWorkspaces(none, { settings: { method } });
    const state = await workspaces.begin(none.project);
    expect(state).toMatchObject({ source: 'none', files: 0 });
    expect(readdirSync((await open(state.tree, 'main', 'r2')).folder)).toEqual([]);
    writeFileSync(join(place.project, 'file'), '');
    expect(await faultCode(workspaces.begin(join(place.project, 'file')))).toBe('PROJECT_NOT_A_FOLDER');
  },
);

test.each(['a/b', '..', '', '.hidden', 'a\0b', '/abs'])('[L3] %j is neither a run nor a workspace', async (name) => {
  const { open } = testWorkspaces(testProject());
  expect(await faultCode(open(treeId('0'), 'main', name))).toBe('RUN_ID_INVALID');
  expect(await faultCode(open(treeId('0'), name))).toBe('WORKSPACE_NAME_INVALID');
});

test.for(METHODS)("[SM11] the engine's own home inside the project is not copied into itself (%s)", async (method) => {
  const { project } = testProject({ 'a.txt': '', 'data/b.txt': '' });
  const home = join(project, 'data', 'home');
  for (const root of ['plain', 'git']) {
    if (root === 'git') git(project, 'init', '-q');
    expect(filesIn((await testWorkspaces({ project, home }, { settings: { method } }).start(root)).folder)).toEqual([
      'a.txt',
      'data/b.txt',
    ]);
  }
});

test('[PD1] leased resources are in the environment of commands, different for each workspace', async () => {
  const place = testProject({ 'a.txt': '' });
  const resources = {
    test_db: { kind: 'name', pattern: 'db_{n}', count: 2 },
    build: { kind: 'folder' },
    deploy: { kind: 'mutex' },
  } as const;
  const { workspaces, open } = testWorkspaces(place, { settings: { resources } });
  const { tree } = await workspaces.begin(place.project);
  const [one, two] = await Promise.all([open(tree), open(tree, 'two')]);
  expect(new Set([one, two].map(({ environment }) => environment['TEST_DB']))).toEqual(new Set(['db_1', 'db_2']));
  expect((await open(tree)).environment).toEqual(one.environment);
  expect(one.folders.map(({ path }) => path)).toContain(one.environment['BUILD']);
  expect(await faultCode(open(tree, 'three'))).toBe('RESOURCE_EXHAUSTED');
});

/** So that an ordinary user can remove them. */
function openFolders(folder: string): void {
  execFileSync('/usr/bin/env', ['chmod', '-R', 'u+rwX', folder]);
}

test('[PD1] a released run gives back its leases, and its checks need none', async () => {
  const place = testProject({ 'a.txt': 'a' });
  const settings = { resources: { db: { kind: 'name' as const, pattern: 'db{n}', count: 1 } } };
  const { workspaces, open } = testWorkspaces(place, { settings });
  const { tree } = await workspaces.begin(place.project);
  const { resources } = await open(tree);
  expect((await open(tree, 'scratch')).resources).toEqual(resources);
  expect(await faultCode(open(tree, 'main', 'r2'))).toBe('RESOURCE_EXHAUSTED');
  await workspaces.release(runId('r1'));
  expect((await open(tree, 'main', 'r2')).resources).toEqual(resources);
});
