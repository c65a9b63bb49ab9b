import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isFault } from '../../src/core/model/fault.ts';
import { type Applied, applyTrees, rollbackProject } from '../../src/workspace/changes/apply-trees.ts';
import { diffTrees } from '../../src/workspace/changes/diff-trees.ts';
import { planApply } from '../../src/workspace/changes/plan-apply.ts';
import { picture, putFiles, storeWorld } from '../../src/workspace/changes/testing/store-world.ts';
import type { Files } from '../../src/workspace/changes/testing/store-world.ts';
import { writeBranch } from '../../src/workspace/changes/write-branch.ts';
import { git } from '../../src/workspace/testing/test-project.ts';
import { RACE_TRIES } from './support/race-tries.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const COMMITTED: Files = { 'a.txt': LINES, 'b.txt': 'b\n', 'd/x': 'x' };
const HOOKS = [
  'pre-commit',
  'post-commit',
  'post-checkout',
  'post-merge',
  'reference-transaction',
  'post-index-change',
];
const MORE_HOOKS = [
  'pre-auto-gc',
  'post-rewrite',
  'fsmonitor-watchman',
  'update',
  'pre-receive',
  'post-update',
  'post-applypatch',
];

/** A user's repository, and a run that changed some files; everything that git could be made to start leaves a trace. */
async function scene(committed: Files = COMMITTED) {
  const world = await storeWorld();
  const { project, base: around, store } = world;
  git(project, 'init', '-q');
  putFiles(project, committed);
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'first');
  const recordProject = () => world.record(project, (path) => path === '.git');
  const began = await recordProject();
  const work = join(around, 'work');
  mkdirSync(work);
  await store.restore(began, work, { index: join(around, 'work-index'), leaveOut: () => false });
  const ended = () => world.record(work);
  const canary = join(around, 'pwned');
  const trap = join(around, 'trap');
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${canary}\ncat\n`, { mode: 0o755 });
  const branch = async (name = 'troupe/run') =>
    writeBranch(store, {
      project,
      base: began,
      tree: await ended(),
      name,
      message: 'Result',
      owner: 'run-1',
      start: null,
    });
  const plan = async () => planApply(store, { base: began, theirs: await ended(), recordProject });
  /** Diff, merge, branch, apply and rollback, one after the other. */
  const everything = async () => {
    const planned = await plan();
    const pair = { before: planned.ours, after: planned.tree };
    await diffTrees(store, pair);
    const written = await branch();
    const applied = await applyTrees(store, { from: planned.ours, to: planned.tree, project });
    const rolled = await rollbackProject(store, { ...pair, project });
    return [planned.kind, written.kind, applied.kind, rolled.kind];
  };
  return { ...world, around, work, trap, canary, began, ended, branch, plan, everything, recordProject };
}

/** All of the user's: each file of the project, and of `.git` everything but objects and Troupe's own branches. */
function users(project: string): Record<string, string> {
  const own = /^\.git\/(?:objects|refs\/heads\/troupe|logs\/refs\/heads\/troupe)(?:\/|$)/;
  return Object.fromEntries(Object.entries(picture(project)).filter(([path]) => !own.test(path)));
}

const ALL_WELL = ['plan', 'written', 'applied', 'applied'];
const codeOf = (action: Promise<unknown>) =>
  action.then(
    () => 'done',
    (error: unknown) => (isFault(error) ? error.code : error),
  );
const conflicts = (applied: Applied) =>
  applied.kind === 'applied' ? [] : applied.conflicts.map(({ path, kind }) => `${kind} ${path}`);

test('[D41] hooks planted in the user’s repository, or named by its settings, never run', async () => {
  const { project, around, work, trap, canary, everything } = await scene();
  const elsewhere = join(around, 'hooks');
  for (const folder of [join(project, '.git/hooks'), elsewhere]) {
    mkdirSync(folder, { recursive: true });
    for (const hook of [...HOOKS, ...MORE_HOOKS]) {
      rmSync(join(folder, hook), { force: true });
      symlinkSync(trap, join(folder, hook));
    }
  }
  git(project, 'config', 'core.hooksPath', elsewhere);
  putFiles(work, { 'a.txt': LINES.replace('one', 'ONE'), 'new/file': 'new' });
  const before = users(project);
  expect(await everything()).toEqual(ALL_WELL);
  expect(users(project)).toEqual(before);
  expect(existsSync(canary)).toBe(false);
});

test('[D43] filters, textconv, merge drivers, monitors, pagers and signers in settings and attributes never run', async () => {
  const { project, work, trap, canary, plan, branch, store } = await scene();
  const settings = {
    'core.fsmonitor': trap,
    'core.pager': trap,
    'core.editor': trap,
    'core.sshCommand': trap,
    'core.askPass': trap,
    'core.alternateRefsCommand': trap,
    'diff.external': trap,
    'diff.evil.textconv': trap,
    'diff.evil.command': trap,
    'merge.evil.driver': `${trap} %O %A %B`,
    'merge.default': 'evil',
    'filter.evil.clean': trap,
    'filter.evil.smudge': trap,
    'filter.evil.process': trap,
    'filter.evil.required': 'true',
    'gpg.program': trap,
    'commit.gpgSign': 'true',
    'credential.helper': `!${trap}`,
    'uploadpack.packObjectsHook': trap,
    'alias.diff-tree': `!${trap}`,
    'alias.merge-file': `!${trap}`,
    'trace2.eventTarget': canary,
  };
  for (const [key, value] of Object.entries(settings)) git(project, 'config', key, value);
  const attributes = '* merge=evil diff=evil\n*.dat filter=evil\n';
  mkdirSync(join(project, '.git/info'), { recursive: true });
  writeFileSync(join(project, '.git/info/attributes'), attributes);
  rmSync(canary, { force: true });
  const before = users(project);
  putFiles(work, { '.gitattributes': attributes, 'a.txt': LINES.replace('seven', 'SEVEN') });
  writeFileSync(join(project, 'a.txt'), LINES.replace('one', 'ONE'));
  const planned = await plan();
  const own = { ...before, 'a.txt': users(project)['a.txt'] };
  expect([planned.kind, (await branch()).kind]).toEqual(['plan', 'written']);
  putFiles(work, { 'x.dat': 'x' });
  expect(await branch('troupe/filtered')).toMatchObject({
    kind: 'conflict',
    conflicts: [{ path: 'x.dat', kind: 'filter' }],
  });
  expect(users(project)).toEqual(own);
  expect(await applyTrees(store, { from: planned.ours, to: planned.tree, project })).toMatchObject({ kind: 'applied' });
  expect(existsSync(canary)).toBe(false);
});

test('[D43] variables that steer git from outside have no say', async () => {
  const { project, work, trap, canary, around, everything } = await scene();
  const variables: Record<string, string> = {
    GIT_DIR: join(around, 'nowhere'),
    GIT_INDEX_FILE: join(project, '.git/index'),
    GIT_OBJECT_DIRECTORY: join(around, 'objects'),
    GIT_EXTERNAL_DIFF: trap,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: trap,
    GIT_EXEC_PATH: around,
    GIT_SSH_COMMAND: trap,
    GIT_TRACE: canary,
  };
  const before = users(project);
  const kept = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  onTestFinished(() => {
    for (const [name, value] of Object.entries(kept)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  Object.assign(process.env, variables);
  putFiles(work, { 'a.txt': LINES.replace('one', 'ONE') });
  expect(await everything()).toEqual(ALL_WELL);
  expect(users(project)).toEqual(before);
  expect(existsSync(canary)).toBe(false);
});

test('[D44] an embedded bare repository is refused by apply and by branch', async () => {
  const { project, work, trap, canary, plan, branch } = await scene();
  git(work, 'init', '-q', '--bare', 'inner');
  git(join(work, 'inner'), 'config', 'core.fsmonitor', trap);
  writeFileSync(join(work, 'inner/refs/keep'), '');
  writeFileSync(join(work, 'inner/objects/keep'), '');
  const before = users(project);
  expect(await plan()).toMatchObject({ kind: 'conflict', conflicts: [{ path: 'inner/HEAD', kind: 'repository' }] });
  expect(await branch()).toMatchObject({ kind: 'conflict', conflicts: [{ path: 'inner', kind: 'repository' }] });
  expect(users(project)).toEqual(before);
  expect(existsSync(canary)).toBe(false);
});

test('[D45] submodules: settings an agent writes start nothing, and files of a submodule are no part of a branch', async () => {
  const { project, around, work, trap, canary, branch, plan } = await scene();
  const library = join(around, 'library');
  mkdirSync(library);
  git(library, 'init', '-q');
  putFiles(library, { 'lib.txt': 'lib' });
  git(library, 'add', '-A');
  git(library, 'commit', '-q', '-m', 'lib');
  git(project, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub');
  git(project, 'commit', '-q', '-m', 'with submodule');
  const before = users(project);
  putFiles(work, {
    '.gitmodules': `[submodule "sub"]\n\tpath = sub\n\turl = ext::${trap}\n\tupdate = !${trap}\n`,
    'b.txt': 'c\n',
  });
  rmSync(join(work, '.gitmodules'));
  expect(await branch()).toMatchObject({ kind: 'written' });
  expect(git(project, 'ls-tree', 'troupe/run', 'sub')).toContain('160000 commit');
  putFiles(work, { 'sub/lib.txt': 'changed' });
  expect(await branch('troupe/other')).toMatchObject({
    kind: 'conflict',
    conflicts: [{ path: 'sub/lib.txt', kind: 'submodule' }],
  });
  putFiles(work, { '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::${trap}\n\tupdate = !${trap}\n` });
  rmSync(join(work, 'sub'), { recursive: true });
  expect(await plan()).toMatchObject({ kind: 'conflict', conflicts: [{ path: '.gitmodules', kind: 'both-added' }] });
  expect(users(project)).toEqual(before);
  expect(existsSync(canary)).toBe(false);
});

test('[D46] repositories the agent made, whole or broken, are not carried over; the files beside them are', async () => {
  const { project, work, branch, plan, canary, trap, store } = await scene();
  for (const folder of ['', 'nested', 'broken']) {
    mkdirSync(join(work, folder), { recursive: true });
    git(join(work, folder), 'init', '-q');
    git(join(work, folder), 'config', 'core.fsmonitor', trap);
    writeFileSync(join(work, folder, 'beside.txt'), 'x\n');
  }
  // The agent's own store of objects is garbage, its HEAD leads nowhere, and it points at the user's objects.
  writeFileSync(join(work, 'broken/.git/HEAD'), 'nonsense');
  putFiles(work, {
    '.git/objects/info/alternates': join(project, '.git/objects'),
    '.git/objects/pack/pack-1.pack': 'garbage',
    '.git/objects/pack/pack-1.idx': 'garbage',
    '.git/index.lock': '',
    '.git/HEAD': 'ref: refs/heads/../../../x',
  });
  const before = users(project);
  expect(await branch()).toMatchObject({ kind: 'written' });
  expect(git(project, 'diff', '--name-only', 'HEAD', 'troupe/run')).toBe(
    'beside.txt\nbroken/beside.txt\nnested/beside.txt\n',
  );
  git(project, 'fsck', '--full', '--strict');
  expect(users(project)).toEqual(before);
  const planned = await plan();
  await applyTrees(store, { from: planned.ours, to: planned.tree, project });
  expect(existsSync(join(project, 'nested/.git'))).toBe(false);
  expect(existsSync(canary)).toBe(false);
});

test('[D47] attributes that would change bytes on the way leave apply and rollback exact', async () => {
  const { project, work, everything, plan, store, ended } = await scene();
  git(project, 'config', 'core.autocrlf', 'true');
  putFiles(work, {
    '.gitattributes': '*.txt text eol=crlf ident\n*.u16 working-tree-encoding=UTF-16LE\n',
    'lf.txt': '$Id: x $\na\n',
    'crlf.txt': 'a\r\nb\r\n',
    'mixed.txt': 'a\r\nb\n\0',
  });
  const before = users(project);
  expect(await everything()).toEqual(ALL_WELL);
  expect(users(project)).toEqual(before);
  const planned = await plan();
  await applyTrees(store, { from: planned.ours, to: planned.tree, project });
  expect(planned.tree).toBe(await ended());
  expect(picture(project, { without: ['.git'] })).toEqual(picture(work));
});

test('[D49] branches named like options, tags and refs of every odd kind do no harm', async () => {
  const { project, work, everything, branch } = await scene();
  const head = git(project, 'rev-parse', 'HEAD');
  putFiles(project, {
    '.git/refs/heads/--upload-pack=touch pwned': head,
    '.git/refs/heads/-c': head,
    '.git/refs/tags/troupe/run': head,
    '.git/refs/heads/HEAD': head,
    '.git/refs/heads/broken': 'nonsense\n',
  });
  putFiles(work, { 'a.txt': LINES.replace('one', 'ONE') });
  const before = users(project);
  expect(await everything()).toEqual(ALL_WELL);
  for (const name of [
    '--upload-pack=x',
    '-c',
    'a\nb',
    '@',
    '@{u}',
    'x@{1}',
    'refs/../x',
    'troupe/',
    'troupe/.x',
    'troupe/x.lock',
  ]) {
    expect([name, await codeOf(branch(name))]).toEqual([name, 'BRANCH_NAME']);
  }
  expect(users(project)).toEqual(before);
});

test('[D50] locks that somebody left behind: only that of the branch itself matters, and it is reported', async () => {
  const { project, work, everything, branch } = await scene();
  putFiles(work, { 'a.txt': LINES.replace('one', 'ONE') });
  for (const lock of ['index.lock', 'HEAD.lock', 'config.lock', 'shallow.lock'])
    writeFileSync(join(project, '.git', lock), '');
  const before = users(project);
  expect(await everything()).toEqual(ALL_WELL);
  expect(users(project)).toEqual(before);
  writeFileSync(join(project, '.git/refs/heads/troupe/held.lock'), '');
  expect(await codeOf(branch('troupe/held'))).toBe('BRANCH_NOT_WRITTEN');
});

test('[D50] a HEAD that leads nowhere, garbage in it, missing objects: reported, and nothing is made worse', async () => {
  const { project, work, branch } = await scene();
  putFiles(work, { 'a.txt': LINES.replace('one', 'ONE') });
  const head = readFileSync(join(project, '.git/HEAD'));
  const commit = git(project, 'rev-parse', 'HEAD').trim();
  const cases: readonly (readonly [string | Buffer, string])[] = [
    [`${'1'.repeat(40)}\n`, 'REPOSITORY_DAMAGED'],
    ['garbage', 'NOT_A_REPOSITORY'],
    ['', 'NOT_A_REPOSITORY'],
  ];
  for (const [content, code] of cases) {
    writeFileSync(join(project, '.git/HEAD'), content);
    const before = users(project);
    expect([String(content), await codeOf(branch())]).toEqual([String(content), code]);
    expect(users(project)).toEqual(before);
  }
  writeFileSync(join(project, '.git/HEAD'), head);
  const tree = git(project, 'rev-parse', 'HEAD^{tree}').trim();
  for (const id of [tree, commit]) {
    rmSync(join(project, '.git/objects', id.slice(0, 2), id.slice(2)));
    const before = users(project);
    expect(['GIT_FAILED', 'REPOSITORY_DAMAGED']).toContain(await codeOf(branch()));
    expect(users(project)).toEqual(before);
  }
  expect(existsSync(join(project, '.git/refs/heads/troupe'))).toBe(false);
});

test('[C29] a tree whose names would lead out cannot be made', async () => {
  const { store, began } = await scene();
  const blob = await store.addBlob(Buffer.from('x'));
  for (const path of ['../x', '/x', 'a//b', 'a/../../x', '.', '..', 'a/./b', '', 'a\0b', '.git/config']) {
    const entries = new Map([...(await store.entries(began)), [path, { kind: 'file', mode: 0o644, blob } as const]]);
    expect([path, await codeOf(store.write(entries))]).toEqual([path, 'TREE_IMPOSSIBLE']);
  }
});

test('[C31] links in the user’s project, of every kind, are never written through', async () => {
  const { project, around, store, record } = await storeWorld().then((world) => ({ ...world, around: world.base }));
  const outside = join(around, 'outside');
  putFiles(outside, { secret: 'secret', 'd/secret': 'secret' });
  putFiles(project, { file: '1', 'folder/x': '1', dangling: '1', loop: '1', 'chain/x': '1' });
  const from = await record(project);
  putFiles(project, {
    file: '2',
    'folder/x': '2',
    'folder/new': '2',
    dangling: '2',
    loop: '2',
    'chain/x': '2',
    'fresh/x': '2',
  });
  const to = await record(project);
  for (const name of ['file', 'folder', 'dangling', 'loop', 'chain', 'fresh'])
    rmSync(join(project, name), { recursive: true });
  symlinkSync(join(outside, 'secret'), join(project, 'file'));
  symlinkSync(outside, join(project, 'folder'));
  symlinkSync(join(outside, 'nothing'), join(project, 'dangling'));
  symlinkSync('loop', join(project, 'loop'));
  symlinkSync('folder', join(project, 'chain'));
  symlinkSync(join(outside, 'd'), join(project, 'fresh'));
  const before = [picture(outside), picture(project)];
  for (const onConflict of ['stop', 'keep'] as const) {
    const found = conflicts(await applyTrees(store, { from, to, project, onConflict }));
    expect(found).toEqual(
      expect.arrayContaining([
        'changed file',
        'in-the-way folder/x',
        'in-the-way folder/new',
        'changed dangling',
        'changed loop',
        'in-the-way chain/x',
        'changed fresh',
      ]),
    );
    expect([picture(outside), picture(project)]).toEqual(before);
  }
});

test('[C34] pipes, sockets and huge sparse files are neither opened nor waited for, and stay', async () => {
  const { project, store, record, treeOf } = await storeWorld();
  putFiles(project, { pipe: '1', socket: '1', sparse: '1' });
  const from = await record(project);
  const to = await treeOf({ pipe: '2', socket: '2', sparse: '2', 'new-pipe': '2' });
  for (const name of ['pipe', 'socket']) rmSync(join(project, name));
  for (const name of ['pipe', 'new-pipe']) execFileSync('/usr/bin/env', ['mkfifo', join(project, name)]);
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(join(project, 'socket'), resolve);
  });
  onTestFinished(() => void server.close());
  truncateSync(join(project, 'sparse'), 2 ** 40);
  const found = conflicts(await applyTrees(store, { from, to, project, onConflict: 'keep' }));
  expect(found).toEqual(['changed new-pipe', 'changed pipe', 'changed socket', 'changed sparse']);
  expect(statSync(join(project, 'sparse')).size).toBe(2 ** 40);
});

test('[C35] names with newlines, escapes, bytes that are no text, 255 bytes and twins are carried exactly, there and back', async () => {
  const { project, store, base, record } = await storeWorld();
  const names = [
    'a\nb',
    '\u001b[31m',
    'x\u202etxt',
    'é'.normalize('NFC'),
    'é'.normalize('NFD'),
    'Case',
    'case',
    'l'.repeat(255),
    ' ',
    '-rf',
    '"',
    '\\',
  ];
  const bytes = [...names.map((name) => Buffer.from(name)), Buffer.from([0xff, 0xfe]), Buffer.from([0x80])];
  const write = (folder: string, content: string) => {
    for (const name of bytes) writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), content, { mode: 0o644 });
  };
  write(project, 'one');
  const from = await record(project);
  const before = picture(project);
  const work = join(base, 'work');
  mkdirSync(join(work, 'deep'), { recursive: true });
  write(work, 'two');
  write(join(work, 'deep'), 'three');
  chmodSync(join(work, 'deep'), 0o755);
  const to = await record(work);
  expect(await applyTrees(store, { from, to, project })).toMatchObject({ kind: 'applied' });
  expect(picture(project)).toEqual(picture(work));
  expect(await rollbackProject(store, { before: from, after: to, project })).toMatchObject({ kind: 'applied' });
  expect(picture(project)).toEqual(before);
});

test('[C36] a hard link from the project to another file of the user: the other keeps bytes and mode', async () => {
  const { project, base, store, record, treeOf } = await storeWorld();
  putFiles(base, { 'outside.txt': 'precious', 'outside.sh': { content: 'precious', mode: 0o600 } });
  linkSync(join(base, 'outside.txt'), join(project, 'a.txt'));
  linkSync(join(base, 'outside.sh'), join(project, 'a.sh'));
  const from = await record(project);
  const to = await treeOf({ 'a.txt': 'theirs', 'a.sh': { content: 'precious', mode: 0o755 } });
  expect(await applyTrees(store, { from, to, project })).toMatchObject({ kind: 'applied' });
  expect([readFileSync(join(base, 'outside.txt'), 'utf8'), statSync(join(base, 'outside.sh')).mode & 0o777]).toEqual([
    'precious',
    0o600,
  ]);
});

/** Exchanges folders and files of the project for links to the outside and back, as fast as a process can, and counts in a file. */
function startSwapping(project: string, outside: string, folders: readonly string[]) {
  const source = `
    const { renameSync, writeFileSync, symlinkSync } = require('node:fs');
    const [project, outside, counter, ...folders] = process.argv.slice(1);
    for (const name of folders) symlinkSync(outside, project + '/.link-' + name);
    symlinkSync(outside + '/secret', project + '/.link-leaf');
    const move = (from, to) => { try { renameSync(project + '/' + from, project + '/' + to); } catch {} };
    for (let swaps = 0; ; swaps += 1) {
      for (const name of folders) {
        move(name, '.aside-' + name);
        move('.link-' + name, name);
        move('leaf', '.aside-leaf');
        move('.link-leaf', 'leaf');
        move(name, '.link-' + name);
        move('.aside-' + name, name);
        move('leaf', '.link-leaf');
        move('.aside-leaf', 'leaf');
      }
      if (swaps % 100 === 0) writeFileSync(counter, String(swaps));
    }`;
  const counter = join(outside, '..', 'swaps');
  const child = spawn(process.execPath, ['-e', source, project, outside, counter, ...folders], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const swaps = () => (existsSync(counter) ? Number(readFileSync(counter, 'utf8')) : 0);
  return { swaps, stop: () => child.kill('SIGKILL') };
}

test(
  '[C32] in thousands of tries of apply and rollback against folders and files that turn into links, none escapes',
  { timeout: 240_000 },
  async () => {
    const world = await storeWorld(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
    const { project, store, record, treeOf } = world;
    const outside = join(world.base, 'outside');
    putFiles(outside, { secret: 'secret', x: 'not yours', 'd/y': 'not yours' });
    const folders = ['s0', 's1', 's2', 's3', 's4', 's5', 's6', 's7'];
    const shape = (content: string): Files =>
      Object.fromEntries([...folders.map((name) => [`${name}/x`, content]), ['leaf', content]]);
    putFiles(project, shape('one'));
    const trees = {
      one: await record(project),
      two: await treeOf({ ...shape('two'), 's0/new/z': 'new', 's1/x': { link: 'y' } }),
    };
    const before = picture(outside);
    const swapping = startSwapping(project, outside, folders);
    await expect.poll(swapping.swaps, { interval: 5 }).toBeGreaterThan(0);
    const seen = { tries: 0, written: 0, refused: 0 };
    // Nine places that are exchanged, each gone through for the check and, if nothing was wrong, again for the change.
    for (let round = 0; seen.tries < RACE_TRIES; round += 1) {
      const [from, to] = round % 2 === 0 ? [trees.one, trees.two] : [trees.two, trees.one];
      const applied = await applyTrees(store, { from, to, project, onConflict: 'keep' });
      seen.tries += 2 * 9 - conflicts(applied).length;
      seen.written += applied.written.length + applied.removed.length;
      seen.refused += conflicts(applied).length;
    }
    swapping.stop();
    expect(picture(outside)).toEqual(before);
    expect(readdirSync(world.base).sort()).toEqual(expect.arrayContaining(['outside', 'project', 'store', 'swaps']));
    // The race was a race: both sides won some of it.
    expect(swapping.swaps()).toBeGreaterThan(100);
    expect(seen.written).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(100);
  },
);
