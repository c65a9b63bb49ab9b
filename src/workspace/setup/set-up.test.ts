import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import type { TreeId } from '../../core/model/ids.ts';
import type { RunSetup } from '../port.ts';
import { git, testProject, writeFiles } from '../testing/test-project.ts';
import { METHODS, testWorkspaces } from '../testing/test-workspaces.ts';

/** Runs the command as it is, and counts. */
function counting() {
  const ran: string[] = [];
  /** With the network? */
  const asked: boolean[] = [];
  const runSetup: RunSetup = async ({ command, folder, environment, network }) => {
    ran.push(folder);
    asked.push(network);
    try {
      const env = { PATH: process.env['PATH'] ?? '', ...environment };
      const output = execFileSync('/bin/sh', ['-c', command], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
      return { exitCode: 0, output };
    } catch (error) {
      const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
      return { exitCode: status, output: `${stdout}${stderr}` };
    }
  };
  return { ran, asked, runSetup };
}

const INSTALL =
  'mkdir -p node_modules/p sub/node_modules && echo code > node_modules/p/index.js && chmod 755 node_modules/p/index.js && ' +
  'ln -s p node_modules/link && ln node_modules/p/index.js node_modules/p/twin.js && echo y > sub/node_modules/y && ' +
  'echo changed > package-lock.json && echo stray > stray.txt';

function installed(setup = INSTALL) {
  const place = testProject({
    'package-lock.json': 'lock 1',
    'a.txt': '',
    'sub/b.txt': '',
    '.gitignore': 'node_modules\n',
  });
  git(place.project, 'init', '-q');
  const counted = counting();
  const options = { settings: { setup }, runSetup: counted.runSetup };
  return { place, ...counted, ...testWorkspaces(place, options), options };
}

test('[PD1] the setup command runs once, and later workspaces get what it made', async () => {
  const { place, ran, workspaces, open, options } = installed();
  const { tree } = await workspaces.begin(place.project);
  const one = await open(tree);
  const two = await open(tree, 'two');
  const other = await testWorkspaces(place, options).open(tree, 'main', 'r2');
  expect(ran).toEqual([one.folder]);
  for (const workspace of [one, two, other]) {
    const { folder } = workspace;
    const file = join(folder, 'node_modules/p/index.js');
    expect(readFileSync(file, 'utf8')).toBe('code\n');
    expect(statSync(file).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(folder, 'node_modules/link'))).toBe('p');
    expect(existsSync(join(folder, 'sub/node_modules/y'))).toBe(true);
    // Whatever is new stays, and only in the workspace; what the project had is as it was.
    expect(readFileSync(join(folder, 'stray.txt'), 'utf8')).toBe('stray\n');
    expect(readFileSync(join(folder, 'package-lock.json'), 'utf8')).toBe('lock 1');
    expect(await workspace.record()).toBe(tree);
  }
  await open(tree);
  expect(ran).toHaveLength(1);
});

test('[L8] no file of a workspace is the same file as one in the cache or in another workspace', async () => {
  const { place, workspaces, open } = installed();
  const { tree } = await workspaces.begin(place.project);
  const folders = [(await open(tree)).folder, (await open(tree, 'two')).folder, (await open(tree, 'three')).folder];
  const [key = ''] = readdirSync(join(place.home, 'setup'));
  const cached = join(place.home, 'setup', key, 'made', '0/p/index.js');
  const files = [...folders.map((folder) => join(folder, 'node_modules/p/index.js')), cached];
  expect(new Set(files.map((file) => lstatSync(file).ino)).size).toBe(4);
  // The two names that the command made itself, and no more.
  expect(files.map((file) => lstatSync(file).nlink)).toEqual([2, 2, 2, 2]);
});

test('[PD1] a changed lock file or command runs the setup again', async () => {
  const { place, ran, runSetup, workspaces, open } = installed();
  await open((await workspaces.begin(place.project)).tree);
  writeFiles(place.project, { 'a.txt': 'no lock file' });
  await open((await workspaces.begin(place.project)).tree, 'main', 'r2');
  expect(ran).toHaveLength(1);
  writeFiles(place.project, { 'package-lock.json': 'lock 2' });
  const { tree } = await workspaces.begin(place.project);
  await open(tree, 'main', 'r3');
  expect(ran).toHaveLength(2);
  const changed = testWorkspaces(place, { settings: { setup: 'mkdir node_modules' }, runSetup });
  await changed.open(tree, 'main', 'r4');
  expect(ran).toHaveLength(3);
});

test('[L8] what ran on the files of an agent is not given to others', async () => {
  const { place, ran, workspaces, open } = installed();
  const { tree } = await workspaces.begin(place.project);
  const workspace = await open(tree);
  writeFiles(workspace.folder, { 'package-lock.json': 'by an agent' });
  const later = await workspace.record();
  await open(later, 'two');
  await open(later, 'three');
  expect(ran).toHaveLength(3);
  expect(readdirSync(join(place.home, 'setup'))).toHaveLength(1);
});

test('[L8] what was kept is not written through a link that an agent put in its way', async () => {
  const { place, workspaces, open } = installed();
  const { tree } = await workspaces.begin(place.project);
  const workspace = await open(tree);
  const outside = join(place.home, '..', 'outside');
  writeFiles(outside, { 'node_modules/mine': "the user's" });
  rmSync(join(workspace.folder, 'sub'), { recursive: true });
  symlinkSync(outside, join(workspace.folder, 'sub'));
  const two = await open(await workspace.record(), 'two');
  expect(readlinkSync(join(two.folder, 'sub'))).toBe(outside);
  expect(readdirSync(join(outside, 'node_modules'))).toEqual(['mine']);
  expect(existsSync(join(two.folder, 'node_modules/p/index.js'))).toBe(true);
});

test('[L3] a setup that fails is a fault with the command, its exit code and its last words, and is tried again', async () => {
  const { place, ran, workspaces, open } = installed('echo some words; echo more >&2; exit 3');
  const { tree } = await workspaces.begin(place.project);
  for (const tries of [1, 2]) {
    const error: unknown = await open(tree).catch((reason: unknown) => reason);
    expect(isFault(error) && error.code).toBe('SETUP_FAILED');
    expect(isFault(error) && error.facts).toMatchObject({ exitCode: 3, lines: ['some words', 'more'] });
    expect(isFault(error) && error.hint).toMatch(/troupe resume r1\n.*troupe resume r1 --no-setup/);
    expect(ran).toHaveLength(tries);
  }
});

test('[U1] using a cached setup updates its time, so that it does not count as unused', async () => {
  const { place, workspaces, open } = installed();
  const { tree } = await workspaces.begin(place.project);
  await open(tree);
  const [key = ''] = readdirSync(join(place.home, 'setup'));
  const cache = join(place.home, 'setup', key);
  utimesSync(cache, 1, 1);
  await open(tree, 'two');
  expect(statSync(cache).mtimeMs).toBeGreaterThan(1000);
});

test('[L8] setup may use the network on what the run began with alone, and says so when it fails without', async () => {
  const { place, ran, workspaces, open, asked } = installed('! grep -q agent a.txt');
  const { tree } = await workspaces.begin(place.project);
  const workspace = await open(tree);
  writeFiles(workspace.folder, { 'a.txt': 'by an agent' });
  const error: unknown = await open(await workspace.record(), 'two').catch((reason: unknown) => reason);
  expect(ran).toHaveLength(2);
  expect(asked).toEqual([true, false]);
  expect(isFault(error) && error).toMatchObject({ code: 'SETUP_FAILED', facts: { network: false } });
  expect(isFault(error) && error.hint).toContain('lock files');
});

test('[L8] where agents worked before there was a setup, it has no network, and its result is not shared', async () => {
  const { place, asked, open, options } = installed();
  const early = testWorkspaces(place);
  const { tree } = await early.workspaces.begin(place.project);
  await early.open(tree);
  await open(tree);
  expect(asked).toEqual([false]);
  expect(existsSync(join(place.home, 'setup'))).toBe(false);
  await testWorkspaces(place, options).open(tree, 'main', 'r2');
  expect(asked).toEqual([false, true]);
});

test('[L6] two processes that set up at once both get a whole result, and a cache damaged by hand is rebuilt', async () => {
  const { place, ran, workspaces, open, options } = installed();
  const { tree } = await workspaces.begin(place.project);
  const other = testWorkspaces(place, options);
  await Promise.all([open(tree, 'main', 'r1'), other.open(tree, 'main', 'r2')]);
  const setup = join(place.home, 'setup');
  expect(readdirSync(setup)).toHaveLength(1);
  const [key = ''] = readdirSync(setup);
  execFileSync('rm', ['-r', join(setup, key, 'made', '0')]);
  mkdirSync(join(setup, `${key}.unfinished-1-x`));
  const before = ran.length;
  const third = await open(tree, 'main', 'r3');
  expect(ran).toHaveLength(before + 1);
  expect(existsSync(join(third.folder, 'node_modules/p/index.js'))).toBe(true);
  await open(tree, 'main', 'r4');
  expect(ran).toHaveLength(before + 1);
});

const GENERATE =
  'mkdir -p deps/lib gen empty/inside && echo dep > deps/lib/d && echo gen > gen/out.txt && echo one > sub/made.txt && rm -f b.txt && echo other > a.txt';

const PLAIN = { 'a.txt': 'a', 'b.txt': 'b', 'sub/b.txt': 'b' };

function generated(options: { readonly isGit?: boolean; readonly method?: 'copy' | 'overlay' } = {}) {
  const place = testProject({ ...PLAIN, '.gitignore': 'deps/\n' });
  if (options.isGit === true) git(place.project, 'init', '-q');
  const notices: string[] = [];
  const counted = counting();
  const { method = 'copy' } = options;
  const all = {
    settings: { setup: GENERATE, method },
    runSetup: counted.runSetup,
    tell: (text: string) => void notices.push(text),
  };
  return { place, notices, ...counted, all, ...testWorkspaces(place, all) };
}

const MADE = ['deps/lib/d', 'gen/out.txt', 'sub/made.txt'];
const hasAll = (folder: string) => MADE.map((path) => existsSync(join(folder, path)));

test.each([
  { isGit: true, method: 'copy' as const },
  { isGit: false, method: 'copy' as const },
  ...(METHODS.includes('overlay') ? [{ isGit: true, method: 'overlay' as const }] : []),
])(
  '[PD1] whatever setup made stays in the workspace and is in no snapshot (git: $isGit, $method)',
  async ({ isGit, method }) => {
    const { place, notices, workspaces, open } = generated({ isGit, method });
    const { tree } = await workspaces.begin(place.project);
    const workspace = await open(tree);
    expect(hasAll(workspace.folder)).toEqual([true, true, true]);
    // A folder with nothing in it would swallow what somebody puts there.
    expect(existsSync(join(workspace.folder, 'empty'))).toBe(false);
    expect(await workspace.record()).toBe(tree);
    expect(notices).toEqual([expect.stringMatching(/put back: a\.txt, b\.txt$/)]);
    expect(readFileSync(join(workspace.folder, 'a.txt'), 'utf8')).toBe('a');
    writeFiles(workspace.folder, { 'new.txt': 'by an agent' });
    const later = await workspace.record();
    const store = await workspaces.store(place.project);
    expect((await store.compare(tree, later)).map(({ path }) => path)).toEqual(['new.txt']);
    await workspace.restore(tree);
    expect(hasAll(workspace.folder)).toEqual([true, true, true]);
    expect(existsSync(join(workspace.folder, 'new.txt'))).toBe(false);
  },
);

test.each(METHODS)(
  '[PD1] what others put into a folder that setup made is theirs: recorded, put back and brought along (%s)',
  async (method) => {
    const { place, notices, workspaces, open, all } = generated({ method });
    const { tree } = await workspaces.begin(place.project);
    const store = await workspaces.store(place.project);
    const paths = async (after: TreeId) => (await store.compare(tree, after)).map(({ path }) => path);
    const workspace = await open(tree);
    writeFiles(workspace.folder, { 'gen/deep/report.md': 'by an agent', 'gen/out.txt': 'written by an agent' });
    const later = await workspace.record(['gen/deep/report.md']);
    expect(await paths(later)).toEqual(['gen/deep/report.md']);
    expect(await workspace.record()).toBe(later);
    notices.length = 0;
    // A fork, another workspace and a process that goes on have it, and what setup made next to it.
    const fork = await testWorkspaces(place, all).open(later, 'main', 'r2');
    const resumed = await testWorkspaces(place, all).open(later);
    for (const one of [fork, resumed]) {
      const { folder } = one;
      expect(hasAll(folder)).toEqual([true, true, true]);
      expect(readFileSync(join(folder, 'gen/deep/report.md'), 'utf8')).toBe('by an agent');
      expect(await one.record()).toBe(later);
    }
    expect(notices).toEqual([]);
    await resumed.restore(tree);
    expect([hasAll(resumed.folder), existsSync(join(resumed.folder, 'gen/deep'))]).toEqual([[true, true, true], false]);
    expect(await resumed.record()).toBe(tree);
    await resumed.restore(later);
    expect(await resumed.record()).toBe(later);
    rmSync(join(resumed.folder, 'gen/deep'), { recursive: true });
    expect(await resumed.record()).toBe(tree);
  },
);

test('[PD1] a folder for dependencies is left out with all that is ever put into it', async () => {
  const place = testProject(PLAIN);
  const settings = { setup: 'mkdir -p node_modules/p gen/vendor && echo > node_modules/p/i && echo > gen/vendor/v' };
  const { workspaces, open } = testWorkspaces(place, { settings, runSetup: counting().runSetup });
  const { tree } = await workspaces.begin(place.project);
  const workspace = await open(tree);
  writeFiles(workspace.folder, { 'node_modules/p/more': '', 'gen/vendor/more': '' });
  expect(await workspace.record()).toBe(tree);
});

test('[PD1] nothing is looked for behind a link that takes the place of a folder that setup made', async () => {
  const { place, workspaces, open } = generated();
  const { tree } = await workspaces.begin(place.project);
  const workspace = await open(tree);
  rmSync(join(workspace.folder, 'gen'), { recursive: true });
  symlinkSync(place.home, join(workspace.folder, 'gen'));
  const store = await workspaces.store(place.project);
  const later = await workspace.record();
  expect((await store.compare(tree, later)).map(({ path }) => path)).toEqual(['gen']);
});

test('[L6] a resumed run, a fork and a workspace that was deleted have what setup made', async () => {
  const { place, ran, workspaces, open, all } = generated();
  const { tree } = await workspaces.begin(place.project);
  const first = await open(tree);
  writeFiles(first.folder, { 'new.txt': 'by an agent' });
  const later = await first.record();
  const resumed = testWorkspaces(place, all);
  const again = await resumed.open(later);
  expect(hasAll(again.folder)).toEqual([true, true, true]);
  expect(again.found).toBe(later);
  const fork = await resumed.open(later, 'main', 'r2');
  expect(hasAll(fork.folder)).toEqual([true, true, true]);
  expect(await fork.record()).toBe(later);
  rmSync(again.folder, { recursive: true });
  const remade = await resumed.open(later);
  expect(hasAll(remade.folder)).toEqual([true, true, true]);
  expect(await remade.record()).toBe(later);
  expect(ran).toHaveLength(1);
});

test('[PD1] what comes along although it is ignored and what setup adds to it are both there', async () => {
  const place = testProject({ ...PLAIN, '.gitignore': 'deps/\n', 'deps/own': 'brought along' });
  git(place.project, 'init', '-q');
  const settings = { setup: GENERATE, ignored: ['deps/'] };
  const { workspaces, open } = testWorkspaces(place, { settings, runSetup: counting().runSetup });
  const { tree } = await workspaces.begin(place.project);
  const workspace = await open(tree);
  expect(readFileSync(join(workspace.folder, 'deps/own'), 'utf8')).toBe('brought along');
  expect(hasAll(workspace.folder)).toEqual([true, true, true]);
  expect(await workspace.record()).toBe(tree);
});

test("[W1] a path that setup made and a tree holds is the tree's", async () => {
  const { place, open, all } = generated();
  const bare = testWorkspaces(place);
  const { tree } = await bare.workspaces.begin(place.project);
  const writer = await bare.open(tree, 'writer', 'r9');
  writeFiles(writer.folder, { 'gen/out.txt': 'by an agent', 'gen/own.txt': 'too' });
  const written = await writer.record();
  const workspace = await open(tree);
  await workspace.restore(written);
  expect(readFileSync(join(workspace.folder, 'gen/out.txt'), 'utf8')).toBe('by an agent');
  expect(await workspace.record()).toBe(written);
  const resumed = await testWorkspaces(place, all).open(written);
  expect(await resumed.record()).toBe(written);
  expect(hasAll(resumed.folder)).toEqual([true, true, true]);
});
