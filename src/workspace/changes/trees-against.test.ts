import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../testing/test-project.ts';
import { diffTrees } from './diff-trees.ts';
import { picture, putFiles, storeWorld, type Files } from './testing/store-world.ts';
import { treesAgainst } from './trees-against.ts';
import { commitOf } from './user-refs.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

interface Scene {
  /** On the branch that is checked out. */
  readonly committed: Files;
  /** What the branch `other` has in their place. */
  readonly other?: Files;
  /** What the run has in the place of what is checked out. */
  readonly run?: Files;
  readonly format?: string;
  /** Where the project lies below the top of its repository. */
  readonly inside?: string;
}

/** A user's repository with two branches, and a run that began with what is checked out. */
async function scene({ committed, other = {}, run = {}, format = 'sha1', inside = '.' }: Scene) {
  const world = await storeWorld();
  const top = world.project;
  const project = join(top, inside);
  mkdirSync(project, { recursive: true });
  git(top, 'init', '-q', '-b', 'trunk', `--object-format=${format}`);
  putFiles(project, committed);
  git(top, 'add', '-A');
  git(top, 'commit', '-q', '--allow-empty', '-m', 'first');
  git(top, 'checkout', '-q', '-b', 'other');
  putFiles(project, other);
  git(top, 'add', '-A');
  git(top, 'commit', '-q', '--allow-empty', '-m', 'second');
  git(top, 'checkout', '-q', 'trunk');
  const against = async (files: Files = {}, isLeftOut = (_path: string) => false) => {
    const work = join(world.base, 'work');
    const began = await world.record(project, (path) => path === '.git' || path === '.troupe');
    mkdirSync(work);
    await world.store.restore(began, work, { index: join(world.base, 'work-index'), leaveOut: () => false });
    putFiles(work, { ...run, ...files });
    const tree = await world.record(work);
    const commit = await commitOf(project, 'other');
    const trees = await treesAgainst(world.store, { project, commit, tree, isLeftOut });
    const diff = await diffTrees(world.store, trees);
    return { ...trees, tree, diff, paths: diff.changes.map(({ path }) => path) };
  };
  return { ...world, top, project, against };
}

const reasons = (notCompared: readonly { readonly path: string; readonly why: string }[]) =>
  notCompared.map(({ path, why }) => `${why} ${path}`);

test('[U2] the files of a run beside a branch: what either has and the other has not, and nothing else', async () => {
  const { against, top } = await scene({
    committed: { 'a.txt': LINES, 'same/x': 'x', 'run.sh': { content: '#!', mode: 0o755 }, link: { link: 'a.txt' } },
    other: { 'a.txt': LINES.replace('two', 'zwei'), 'theirs.txt': 'theirs\n', link2: { link: 'a.txt' } },
    run: { 'a.txt': LINES.replace('seven', 'SEVEN'), 'made.txt': 'made\n' },
  });
  const before = picture(top);
  const { diff, paths, notCompared } = await against();
  expect(paths).toEqual(['a.txt', 'link2', 'made.txt', 'theirs.txt']);
  expect(String(diff.patch)).toContain('-zwei\n+two\n');
  expect(String(diff.patch)).toContain('-seven\n+SEVEN\n');
  expect(String(diff.patch)).toContain('--- a/theirs.txt\n+++ /dev/null');
  expect([diff.beyondPatch, notCompared]).toEqual([[], []]);
  expect(picture(top)).toEqual(before);
});

test('[U2] modes beyond the executable bit and empty folders are nothing a branch could have', async () => {
  const { against, project } = await scene({ committed: { 'a.txt': LINES, 'run.sh': '#!' } });
  chmodSync(join(project, 'a.txt'), 0o600);
  const { paths, tree, after } = await against({ 'empty/': '', 'run.sh': { content: '#!', mode: 0o755 } });
  expect(paths).toEqual(['run.sh']);
  expect(after).toBe(tree);
});

test('[U2] where the branch has a file and the run a folder, both are reported', async () => {
  const { against } = await scene({ committed: { b: 'b' }, other: { place: 'a file' } });
  const { paths } = await against({ 'place/inner': 'x', 'place/empty/': '', 'place/': { mode: 0o700 } });
  expect(paths).toContain('place/inner');
  expect(paths).toContain('place');
});

test('[U2] paths that no workspace gets do not count as deleted: ignored, control folders, left out, not checked out', async () => {
  const { against, project, top } = await scene({
    committed: { '.gitignore': 'dist/\n', 'src/a': 'a', 'docs/d': 'd', big: 'big' },
    other: { 'dist/made.js': 'made', '.troupe/config.yaml': '{}', 'docs/e': 'e', '.gitignore': 'nothing\n' },
  });
  git(top, 'checkout', '-q', 'trunk');
  git(top, 'config', 'core.sparseCheckout', 'true');
  writeFileSync(join(top, '.git/info/sparse-checkout'), '/*\n!/docs/\n');
  rmSync(join(project, 'docs'), { recursive: true });
  rmSync(join(project, 'big'));
  const { paths, notCompared } = await against({}, (path) => path === 'big');
  expect(paths).toEqual(['.gitignore']);
  expect(reasons(notCompared).toSorted()).toEqual([
    'ignored dist/made.js',
    'left-out big',
    'sparse docs/d',
    'sparse docs/e',
  ]);
});

test('[U2] line ends that git makes on this machine are no change, and those of a changed file stay out of its lines', async () => {
  const { against, project, top } = await scene({
    committed: { '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': LINES, 'b.txt': LINES },
    other: { 'b.txt': LINES.replace('two', 'zwei') },
  });
  rmSync(join(project, 'a.txt'));
  rmSync(join(project, 'b.txt'));
  git(top, 'checkout', '-q', '--', '.');
  const { paths, diff } = await against();
  expect(paths).toEqual(['b.txt']);
  expect(diff.stat).toMatchObject({ added: 1, removed: 1 });
});

test('[U2] no program of the repository is run; what one would convert is reported', async () => {
  const { against, base, top } = await scene({
    committed: { '.gitattributes': '*.bin filter=mine\n', 'a.bin': 'pointer' },
    other: { 'a.bin': 'another pointer' },
  });
  for (const key of ['filter.mine.clean', 'filter.mine.smudge', 'diff.external', 'core.fsmonitor', 'core.pager'])
    git(top, 'config', key, `touch ${join(base, 'ran')}; cat`);
  const { paths, notCompared } = await against();
  expect([paths, reasons(notCompared)]).toEqual([[], ['filter a.bin']]);
  expect(Object.keys(picture(base))).not.toContain('ran');
});

test('[U2] a part of a repository is compared with that part of the branch, and submodules with nothing', async () => {
  const { against, top } = await scene({
    committed: { 'a.txt': LINES },
    other: { 'a.txt': LINES.replace('one', 'eins'), '../outside.txt': 'x' },
    inside: 'part',
  });
  git(top, 'checkout', '-q', 'other');
  const head = git(top, 'rev-parse', 'HEAD').trim();
  git(top, 'update-index', '--add', '--cacheinfo', `160000,${head},part/sub`);
  git(top, 'commit', '-q', '-m', 'a submodule');
  git(top, 'checkout', '-q', 'trunk');
  const { paths, notCompared } = await against();
  expect([paths, reasons(notCompared)]).toEqual([['a.txt'], ['submodule sub']]);
});

test('[U2] a repository with names of the longer kind is compared by what its files hold', async () => {
  const { against } = await scene({
    committed: { 'a.txt': LINES, 'b.txt': LINES },
    other: { 'b.txt': LINES.replace('two', 'zwei') },
    format: 'sha256',
  });
  const { paths, after, tree } = await against();
  expect(paths).toEqual(['b.txt']);
  expect(after).toBe(tree);
});

test('[U2] what a partial clone has not fetched is reported, and not fetched', async () => {
  const { against, top, project } = await scene({ committed: { a: 'a' }, other: { a: 'b', c: 'c' } });
  const blob = git(top, 'rev-parse', 'other:c').trim();
  rmSync(join(project, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  const { paths, notCompared } = await against();
  expect([paths, reasons(notCompared)]).toEqual([['a'], ['missing c']]);
});
