import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import { git } from '../testing/test-project.ts';
import { picture, putFiles, storeWorld } from './testing/store-world.ts';
import type { Files } from './testing/store-world.ts';
import { writeBranch } from './write-branch.ts';
import type { WrittenBranch } from './write-branch.ts';

/** Whose branch it is; what was checked out when it began is not known. */
const RUN = { owner: 'run-1', start: null };

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** A user's repository with one commit, and a run that began with the files as they are. */
async function scene(committed: Files, present: Files = {}) {
  const world = await storeWorld();
  const { project } = world;
  git(project, 'init', '-q');
  putFiles(project, committed);
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '--allow-empty', '-m', 'first');
  putFiles(project, present);
  const begin = () => world.record(project, (path) => path === '.git');
  const base = await begin();
  const work = join(world.base, 'work');
  mkdirSync(work);
  await world.store.restore(base, work, { index: join(world.base, 'work-index'), leaveOut: () => false });
  const start = git(project, 'rev-parse', 'HEAD').trim();
  const write = async (options: { name?: string; message?: string; owner?: string; start?: null } = {}) => {
    const tree = await world.record(work);
    const { name = 'troupe/run-1', message = 'Result', owner = 'run-1' } = options;
    const from = options.start === undefined ? start : null;
    return writeBranch(world.store, { project, base, tree, name, message, owner, start: from });
  };
  return { ...world, folder: world.base, work, write };
}

/** The user's own things: all of `.git` but its objects and branches, and every file of the project. */
function untouched(project: string): unknown {
  const files = picture(project);
  const isOther = (path: string) => !/^\.git\/(objects|refs\/heads\/troupe|logs\/refs\/heads\/troupe)(\/|$)/.test(path);
  const kept = Object.entries(files).filter(([path]) => isOther(path));
  return {
    kept,
    refs: git(project, 'for-each-ref')
      .split('\n')
      .filter((line) => !line.includes('refs/heads/troupe/')),
  };
}

const kinds = (result: WrittenBranch) =>
  result.kind === 'conflict' ? result.conflicts.map(({ path, kind }) => `${kind} ${path}`) : result.kind;

const codeOf = (action: Promise<unknown>) =>
  action.then(
    () => 'done',
    (error: unknown) => (isFault(error) ? error.code : error),
  );

test('[PD7] the run becomes one commit on top of HEAD, and nothing else in the repository changes', async () => {
  const { project, work, write } = await scene(
    { 'a.txt': LINES, 'b.txt': 'b', 'run.sh': { content: '#!', mode: 0o755 }, 'sub/x': 'x', l: { link: 'a.txt' } },
    { 'untracked.txt': 'mine', 'b.txt': 'uncommitted' },
  );
  const before = untouched(project);
  putFiles(work, { 'a.txt': LINES.replace('two', 'TWO'), 'new/file': 'new', 'run.sh': '#!' });
  rmSync(join(work, 'l'));
  rmSync(join(work, 'sub'), { recursive: true });
  const result = await write({ message: 'What the run did\n\nIn words.' });
  expect(result).toMatchObject({ kind: 'written', ref: 'refs/heads/troupe/run-1', leftOut: [] });
  expect(untouched(project)).toEqual(before);
  expect(
    git(project, 'diff', '--no-renames', '--raw', '--abbrev=4', 'HEAD', 'troupe/run-1')
      .split('\n')
      .map((line) => line.replace(/ \w{4} \w{4} /, ' ')),
  ).toEqual([
    ':100644 100644 M\ta.txt',
    ':120000 000000 D\tl',
    ':000000 100644 A\tnew/file',
    ':100755 100644 M\trun.sh',
    ':100644 000000 D\tsub/x',
    '',
  ]);
  expect(git(project, 'show', 'troupe/run-1:a.txt')).toBe(LINES.replace('two', 'TWO'));
  expect(git(project, 'log', '--format=%P %an %s', 'troupe/run-1', '-1')).toMatch(
    new RegExp(`^${git(project, 'rev-parse', 'HEAD').trim()} .+ What the run did\n$`),
  );
  git(project, 'fsck', '--strict', '--full');
});

test('nothing stays behind in the folder for temporary files, not even later', async () => {
  const { folder, work, store, write } = await scene({ 'a.txt': LINES });
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const before = process.env['TMPDIR'];
  onTestFinished(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });
  process.env['TMPDIR'] = temporary;
  putFiles(work, { 'a.txt': LINES.replace('two', 'TWO') });
  expect(kinds(await write())).toBe('written');
  // Whatever the store would have written later is written now.
  await store.close();
  expect(readdirSync(temporary)).toEqual([]);
});

test('[PD7] a change of a file with uncommitted lines elsewhere takes only the change along', async () => {
  const { project, work, write } = await scene({ 'a.txt': LINES }, { 'a.txt': LINES.replace('one', 'mine') });
  writeFileSync(join(work, 'a.txt'), LINES.replace('one', 'mine').replace('seven', 'SEVEN'));
  expect(kinds(await write())).toBe('written');
  expect(git(project, 'show', 'troupe/run-1:a.txt')).toBe(LINES.replace('seven', 'SEVEN'));
});

test('[PD7] a change that builds on uncommitted work grows from that work, which has a separate commit', async () => {
  const { project, work, write } = await scene(
    { 'a.txt': LINES, 'b.txt': 'b' },
    { 'a.txt': LINES.replace('two', 'mine'), 'new.txt': 'mine', 'b.txt': 'mine alone' },
  );
  const before = untouched(project);
  putFiles(work, { 'a.txt': LINES.replace('two', 'theirs'), 'new.txt': 'theirs' });
  const result = await write();
  expect(result).toMatchObject({
    kind: 'written',
    conflicts: [
      { path: 'a.txt', kind: 'uncommitted' },
      { path: 'new.txt', kind: 'uncommitted' },
    ],
  });
  expect(untouched(project)).toEqual(before);
  expect(git(project, 'log', '--format=%s', 'HEAD..troupe/run-1')).toBe('Result\nWhat the run began with\n');
  expect(git(project, 'diff', '--name-only', 'HEAD', 'troupe/run-1')).toBe('a.txt\nnew.txt\n');
  expect(git(project, 'show', 'troupe/run-1~1:a.txt')).toBe(LINES.replace('two', 'mine'));
  git(project, 'fsck', '--strict', '--full');
  // With the work committed, the last commit alone is what the run did.
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'mine');
  git(project, 'cherry-pick', 'troupe/run-1');
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(LINES.replace('two', 'theirs'));
  expect(readFileSync(join(project, 'b.txt'), 'utf8')).toBe('mine alone');
});

test('[PD7] a commit made meanwhile is merged with; in conflict the branch grows from where the run began', async () => {
  const { project, work, write } = await scene({ 'a.txt': LINES, 'b.txt': LINES });
  const start = git(project, 'rev-parse', 'HEAD');
  putFiles(project, { 'a.txt': LINES.replace('one', 'mine') });
  git(project, 'commit', '-qam', 'second');
  putFiles(work, { 'a.txt': LINES.replace('seven', 'theirs') });
  expect(await write()).toMatchObject({ kind: 'written', conflicts: [] });
  expect(git(project, 'show', 'troupe/run-1:a.txt')).toBe(LINES.replace('seven', 'theirs').replace('one', 'mine'));
  putFiles(work, { 'a.txt': LINES.replace('one', 'theirs'), 'b.txt': LINES.replace('two', 'theirs') });
  expect(await write({ name: 'other' })).toMatchObject({
    kind: 'written',
    conflicts: [{ path: 'a.txt', kind: 'content' }],
  });
  expect(git(project, 'rev-parse', 'other^')).toBe(start);
  expect(git(project, 'show', 'other:a.txt')).toBe(LINES.replace('one', 'theirs'));
  // Git asks about the one file, and has merged the other.
  expect(() => git(project, 'merge', '-q', '--no-edit', 'other')).toThrow('Command failed');
  expect(git(project, 'diff', '--name-only', '--diff-filter=U')).toBe('a.txt\n');
});

test('[PD7] where it is not known what the run began with, a conflict makes no branch', async () => {
  const { project, work, write } = await scene({ 'a.txt': LINES });
  putFiles(project, { 'a.txt': LINES.replace('one', 'mine') });
  git(project, 'commit', '-qam', 'second');
  putFiles(work, { 'a.txt': LINES.replace('one', 'theirs') });
  expect(kinds(await write({ start: null }))).toEqual(['content a.txt']);
  expect(git(project, 'branch', '--list', 'troupe/*')).toBe('');
});

test('[PD7] the branch of another run, or of another workspace of the run, is never written over', async () => {
  const { project, work, write } = await scene({ 'a.txt': 'a' });
  putFiles(work, { 'a.txt': 'b' });
  await write({ name: 'result' });
  const made = git(project, 'rev-parse', 'result');
  putFiles(work, { 'a.txt': 'c' });
  for (const owner of ['run-2', 'run-1 coder', 'run']) {
    expect(await codeOf(write({ name: 'result', owner }))).toBe('BRANCH_EXISTS');
  }
  expect(git(project, 'rev-parse', 'result')).toBe(made);
  expect(git(project, 'log', '-1', '--format=%(trailers:key=Troupe-Run,valueonly,separator=%x2C)', 'result')).toBe(
    'run-1\n',
  );
  // It may rebuild its own branch, whatever its name.
  expect(await write({ name: 'result' })).toMatchObject({ kind: 'written', replaced: made.trim() });
});

test('what the user ignores is left out and reported, so is what git cannot keep', async () => {
  const { project, work, write } = await scene({ '.gitignore': '*.log\nbuild/\n', 'a.sh': '1' }, { 'x.log': 'mine' });
  putFiles(work, {
    'x.log': 'theirs',
    'build/out': 'x',
    'empty/': '',
    'a.sh': { content: '1', mode: 0o600 },
    'b.txt': 'b',
  });
  const result = await write();
  expect(kinds(result)).toBe('written');
  expect(result.leftOut.map(({ path, why }) => `${path}: ${why}`).sort()).toEqual([
    'a.sh: git does not keep this',
    'build/out: the project ignores it',
    'empty: git does not keep this',
    'x.log: the project ignores it',
  ]);
  expect(git(project, 'diff', '--name-only', 'HEAD', 'troupe/run-1')).toBe('b.txt\n');
});

test('[D47] line ends are kept in the form git keeps them, as attributes and settings say', async () => {
  const { project, work, write } = await scene({
    '.gitattributes': '*.txt text eol=crlf\n*.raw -text\n*.id ident\n',
    'old-crlf.md': 'a\r\nb\r\n',
  });
  git(project, 'config', 'core.autocrlf', 'true');
  putFiles(project, { 'a.txt': 'a\r\n' });
  putFiles(work, {
    'a.txt': 'a\r\nb\r\n',
    'a.raw': 'a\r\nb\r\n',
    'a.id': '$Id: 123 $\n',
    'auto.md': 'x\r\ny\r\n',
    'old-crlf.md': 'a\r\nc\r\n',
    'bin.dat': Buffer.from('\0\r\n'),
  });
  const result = await write();
  expect(kinds(result)).toBe('written');
  // What git itself would have put into a commit of the same files.
  putFiles(
    project,
    Object.fromEntries(
      ['a.txt', 'a.raw', 'a.id', 'auto.md', 'old-crlf.md', 'bin.dat'].map((name) => [
        name,
        readFileSync(join(work, name)),
      ]),
    ),
  );
  git(project, '-c', 'core.safecrlf=false', 'add', '-A');
  expect(git(project, 'rev-parse', 'troupe/run-1^{tree}')).toBe(git(project, 'write-tree'));
});

test('[D43] an outside filter is never run: its files are reported, and no branch is made', async () => {
  const { folder, project, work, write } = await scene({ 'a.txt': 'a' });
  const pwned = join(folder, 'pwned');
  git(project, 'config', 'filter.evil.clean', `sh -c 'touch ${pwned}; cat'`);
  git(project, 'config', 'filter.evil.smudge', `sh -c 'touch ${pwned}; cat'`);
  git(project, 'config', 'filter.long.process', `touch ${pwned}`);
  putFiles(work, {
    '.gitattributes':
      '*.bin filter=evil\n*.lng filter=long\n*.none filter=unknown\n*.enc working-tree-encoding=UTF-16\n',
    'x.bin': 'x',
    'x.lng': 'x',
    'x.none': 'x',
    'x.enc': 'x',
  });
  expect(kinds(await write())).toEqual(['filter x.bin', 'filter x.enc', 'filter x.lng']);
  expect(picture(folder)).not.toHaveProperty('pwned');
});

test('a project in a folder of a repository, in a linked work tree, and before the first commit', async () => {
  const world = await storeWorld();
  const top = join(world.base, 'top');
  mkdirSync(top);
  git(top, 'init', '-q');
  const add = async (project: string, name: string) => {
    const base = await world.record(project, (path) => path === '.git');
    const tree = await world.store.write(
      new Map([
        ...(await world.store.entries(base)),
        ['added', { kind: 'file', mode: 0o644, blob: await world.store.addBlob(Buffer.from('x\r\n')) }],
      ]),
    );
    return writeBranch(world.store, { project, base, tree, name, message: 'x', ...RUN });
  };
  expect(await add(top, 'troupe/first')).toMatchObject({ kind: 'written', parent: null });
  expect(git(top, 'ls-tree', '-r', '--name-only', 'troupe/first')).toBe('added\n');
  putFiles(top, { '.gitattributes': '* text\n', 'in/side/file': '1' });
  git(top, 'add', '-A');
  git(top, 'commit', '-qm', 'first');
  expect(kinds(await add(join(top, 'in/side'), 'troupe/below'))).toBe('written');
  expect(git(top, 'show', 'troupe/below:in/side/added')).toBe('x\n');
  git(top, 'worktree', 'add', '-q', join(world.base, 'linked'));
  expect(kinds(await add(join(world.base, 'linked'), 'troupe/linked'))).toBe('written');
  expect(git(top, 'diff', '--name-only', 'HEAD', 'troupe/linked')).toBe('added\n');
});

test('a repository that names its objects by SHA-256 gets its branch', async () => {
  const world = await storeWorld();
  git(world.project, 'init', '-q', '--object-format=sha256');
  putFiles(world.project, { 'a.txt': LINES, b: 'b' });
  git(world.project, 'add', '-A');
  git(world.project, 'commit', '-q', '-m', 'first');
  putFiles(world.project, { 'a.txt': LINES.replace('one', 'mine') });
  const base = await world.record(world.project, (path) => path === '.git');
  const tree = await world.treeOf({ 'a.txt': LINES.replace('one', 'mine').replace('seven', 'SEVEN'), c: 'c' });
  const result = await writeBranch(world.store, {
    project: world.project,
    base,
    tree,
    name: 'troupe/x',
    message: 'x',
    ...RUN,
  });
  expect(kinds(result)).toBe('written');
  expect(git(world.project, 'show', 'troupe/x:a.txt')).toBe(LINES.replace('seven', 'SEVEN'));
  expect(git(world.project, 'ls-tree', '--name-only', 'troupe/x')).toBe('a.txt\nc\n');
  git(world.project, 'fsck', '--full', '--strict');
});

test('a shallow clone gets its branch', async () => {
  const { folder, project, store, record } = await scene({ a: '1' });
  git(project, 'commit', '-q', '--allow-empty', '-m', 'second');
  const clone = join(folder, 'clone');
  git(folder, 'clone', '-q', '--depth=1', `file://${project}`, clone);
  const before = await record(clone, (path) => path === '.git');
  writeFileSync(join(clone, 'a'), '2');
  const tree = await record(clone, (path) => path === '.git');
  git(clone, 'checkout', '-q', '.');
  const result = await writeBranch(store, {
    project: clone,
    base: before,
    tree,
    name: 'troupe/x',
    message: 'x',
    ...RUN,
  });
  expect(kinds(result)).toBe('written');
  git(clone, 'fsck', '--full');
});

test('files of a submodule or a nested repository are reported, and no branch is made', async () => {
  const { project, work, write } = await scene({ 'a.txt': 'a' });
  mkdirSync(join(project, 'nested'));
  git(join(project, 'nested'), 'init', '-q');
  putFiles(work, { 'nested/x': 'x' });
  expect(kinds(await write())).toEqual(['submodule nested/x']);
});

test('[D44] new files that together are a repository are reported, and no branch is made', async () => {
  const { work, write } = await scene({ 'a.txt': 'a' });
  putFiles(work, {
    'evil/HEAD': 'ref: refs/heads/x',
    'evil/config': '[core]',
    'evil/objects/': '',
    'evil/objects/x': '',
    'evil/refs/x': '',
  });
  expect(kinds(await write())).toEqual(['repository evil']);
});

test('[D49] a name that is no branch, an option or a trick is refused', async () => {
  const { project, work, write } = await scene({ 'a.txt': 'a' });
  putFiles(work, { 'a.txt': 'b' });
  const before = untouched(project);
  for (const name of [
    '',
    '-d',
    '--upload-pack=x',
    '@{-1}',
    'a..b',
    'a b',
    'a\nb',
    'a\0b',
    'HEAD',
    'x.lock',
    '../../config',
    'a~1',
    '/a',
    'a/',
    'x\u202e',
  ]) {
    expect([name, await codeOf(write({ name }))]).toEqual([name, 'BRANCH_NAME']);
  }
  expect(untouched(project)).toEqual(before);
});

test('[PD7] a branch of the user is never overwritten, one of Troupe only while it is unchanged', async () => {
  const { project, work, write } = await scene({ 'a.txt': 'a' });
  putFiles(work, { 'a.txt': 'b' });
  git(project, 'branch', 'mine');
  git(project, 'branch', 'troupe/by-hand');
  git(project, 'symbolic-ref', 'refs/heads/troupe/pointer', 'refs/heads/mine');
  expect(await codeOf(write({ name: 'mine' }))).toBe('BRANCH_EXISTS');
  expect(await codeOf(write({ name: 'troupe/by-hand' }))).toBe('BRANCH_EXISTS');
  expect(await codeOf(write({ name: 'troupe/pointer' }))).toBe('BRANCH_EXISTS');
  expect(await codeOf(write({ name: 'mine/below' }))).toBe('BRANCH_NOT_WRITTEN');
  const first = await write();
  expect(await write()).toMatchObject({ kind: 'written', commit: first.kind === 'written' ? first.commit : '' });
  putFiles(work, { 'a.txt': 'c' });
  expect(await write()).toMatchObject({ kind: 'written', replaced: first.kind === 'written' ? first.commit : '' });
  git(project, 'checkout', '-q', 'troupe/run-1');
  expect(await codeOf(write())).toBe('BRANCH_EXISTS');
  git(project, 'commit', '-q', '--allow-empty', '-m', 'continued');
  git(project, 'checkout', '-q', '-');
  expect(await codeOf(write())).toBe('BRANCH_EXISTS');
});

test('nothing to do makes no branch, and outside git there is none', async () => {
  const { folder, project, store, write, treeOf } = await scene({ 'a.txt': 'a' });
  expect(kinds(await write())).toBe('unchanged');
  expect(git(project, 'branch', '--list', 'troupe/*')).toBe('');
  const plain = join(folder, 'plain');
  mkdirSync(plain);
  const tree = await treeOf({ a: '1' });
  const options = { project: plain, base: tree, tree, name: 'troupe/x', message: 'x', ...RUN };
  expect(await codeOf(writeBranch(store, options))).toBe('NOT_A_REPOSITORY');
});

test('the name of the user is in the commit, without what git refuses in one', async () => {
  const { project, work, write } = await scene({ 'a.txt': 'a' });
  git(project, 'config', 'user.name', 'Ada <evil>\u0007');
  git(project, 'config', 'user.email', 'ada@example.org');
  putFiles(work, { 'a.txt': 'b' });
  await write();
  expect(git(project, 'log', '-1', '--format=%an %ae %cn', 'troupe/run-1')).toBe('Ada evil ada@example.org Ada evil\n');
});

test('[PD7] a branch of the user that took in the result is not rebuilt without the work below it', async () => {
  const { project, work, write } = await scene({ 'a.txt': 'a' });
  const trunk = git(project, 'branch', '--show-current').trim();
  git(project, 'checkout', '-q', '-b', 'feature');
  putFiles(project, { 'precious.txt': 'mine' });
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'my own work');
  putFiles(work, { 'b.txt': 'by the run' });
  await write();
  git(project, 'merge', '-q', '--ff-only', 'troupe/run-1');
  const tip = git(project, 'rev-parse', 'feature');
  git(project, 'checkout', '-q', trunk);
  expect(await codeOf(write({ name: 'feature' }))).toBe('BRANCH_EXISTS');
  expect(git(project, 'rev-parse', 'feature')).toBe(tip);
  // Where all that is below it is in what is checked out, nothing is lost.
  git(project, 'merge', '-q', '--ff-only', 'feature~1');
  putFiles(work, { 'b.txt': 'by the run, again' });
  expect(await write({ name: 'feature' })).toMatchObject({ kind: 'written', replaced: tip.trim() });
  expect(git(project, 'log', '--format=%s', 'feature')).toBe('Result\nmy own work\nfirst\n');
});

test('[PD7] the same result once more leaves the branch as it is, also one that grows from where the run began', async () => {
  const { project, work, write } = await scene({ 'a.txt': LINES }, { 'a.txt': LINES.replace('two', 'mine') });
  putFiles(work, { 'a.txt': LINES.replace('two', 'theirs') });
  for (const name of ['troupe/run-1', 'result']) {
    const first = await write({ name });
    if (first.kind !== 'written') throw new Error('expected a branch');
    // Git counts seconds: another moment makes another commit.
    git(project, 'config', 'user.name', `Somebody ${name}`);
    expect(await write({ name })).toMatchObject({ kind: 'written', commit: first.commit, parent: first.parent });
    expect(git(project, 'rev-parse', name).trim()).toBe(first.commit);
    putFiles(work, { 'a.txt': LINES.replace('two', `theirs after ${name}`) });
    expect(await write({ name })).toMatchObject({ kind: 'written', replaced: first.commit });
  }
});
