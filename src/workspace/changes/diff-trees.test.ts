import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import { diffTrees, writePatch } from './diff-trees.ts';
import { putFiles, storeWorld } from './testing/store-world.ts';
import type { Files } from './testing/store-world.ts';

const BEFORE: Files = {
  'a.txt': 'one\ntwo\n',
  'no-newline': 'x',
  'crlf.txt': 'a\r\nb\r\n',
  binary: Buffer.from('\0\x01\x02'),
  'new\nline "quoted" \u001b é': 'x\n',
  link: { link: 'a.txt' },
  'gone/deep.txt': 'gone\n',
  'run.sh': '#!/bin/sh\n',
  '.gitattributes': '* diff=evil -diff\n*.txt text eol=crlf filter=evil\n',
};
const AFTER: Files = {
  'a.txt': 'one\n2\nthree\n',
  'no-newline': 'y',
  'crlf.txt': 'a\r\nc\n',
  binary: Buffer.from('\0\x01\x03'),
  'new\nline "quoted" \u001b é': 'y\n',
  link: { link: 'elsewhere' },
  'run.sh': { content: '#!/bin/sh\n', mode: 0o755 },
  'added/b': 'new',
  '.gitattributes': BEFORE['.gitattributes'] ?? '',
};

async function scene(before: Files = BEFORE, after: Files = AFTER) {
  const world = await storeWorld();
  return { ...world, trees: { before: await world.treeOf(before), after: await world.treeOf(after) } };
}

test('[PD7] the patch turns one tree into the other with git apply, whatever the names and bytes', async () => {
  const { store, base, project, trees, record } = await scene();
  const { patch } = await diffTrees(store, trees);
  putFiles(project, BEFORE);
  writeFileSync(join(base, 'x.patch'), patch);
  const env = { PATH: '/usr/bin:/bin', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CEILING_DIRECTORIES: base };
  execFileSync('git', ['apply', '--whitespace=nowarn', join(base, 'x.patch')], { cwd: project, env });
  expect(await record(project)).toBe(trees.after);
});

test('a name that is not text survives in the patch', async () => {
  const { store, base, project, trees, record } = await scene({}, {});
  const add = async (content: string) => {
    const blob = await store.addBlob(Buffer.from(content));
    return store.write(new Map([['\xff\xfe\n', { kind: 'file', mode: 0o644, blob }]]));
  };
  const after = await add('1\n');
  const { patch, stat } = await diffTrees(store, { before: trees.before, after });
  expect(stat.files).toEqual([{ path: '\xff\xfe\n', added: 1, removed: 0, isBinary: false }]);
  writeFileSync(join(base, 'x.patch'), patch);
  execFileSync('git', ['apply', join(base, 'x.patch')], { cwd: project, env: { GIT_CEILING_DIRECTORIES: base } });
  expect(await record(project)).toBe(after);
});

test('lines are counted per file and in all, binary files are called so', async () => {
  const { store, trees } = await scene();
  const { stat, patch } = await diffTrees(store, trees, { patch: false });
  expect(patch.length).toBe(0);
  const byPath = Object.fromEntries(
    stat.files.map(({ path, added, removed, isBinary }) => [path, [added, removed, isBinary]]),
  );
  expect(byPath).toMatchObject({
    'a.txt': [2, 1, false],
    binary: [0, 0, true],
    'gone/deep.txt': [0, 1, false],
    'run.sh': [0, 0, false],
  });
  expect([stat.added, stat.removed]).toEqual([7, 6]);
});

test('changes that a patch cannot hold are listed separately: modes and empty folders', async () => {
  const { store, trees } = await scene(
    { a: '1', b: '1', 'c/': '' },
    { a: { content: '1', mode: 0o600 }, b: { content: '1', mode: 0o755 }, 'd/': { mode: 0o700 } },
  );
  const diff = await diffTrees(store, trees);
  expect(diff.changes.map(({ path }) => path)).toEqual(['a', 'b', 'c', 'd']);
  expect(diff.beyondPatch.map(({ path }) => path)).toEqual(['a', 'c', 'd']);
});

test('lines are counted in a file with a tab in its name', async () => {
  const { store, trees } = await scene({ 'a\tname': 'one\n', x: '' }, { 'a\tname': 'one\ntwo\n', x: '' });
  const { stat } = await diffTrees(store, trees);
  expect(stat.files).toEqual([{ path: 'a\tname', added: 1, removed: 0, isBinary: false }]);
});

test('equal trees have no difference', async () => {
  const { store, trees } = await scene(BEFORE, BEFORE);
  const diff = await diffTrees(store, trees);
  expect(diff).toEqual({
    changes: [],
    stat: { files: [], added: 0, removed: 0 },
    patch: Buffer.alloc(0),
    beyondPatch: [],
  });
});

test('a patch is written whole, and replaces an existing file only on request', async () => {
  const { store, base, trees } = await scene();
  const folder = join(base, 'patches');
  mkdirSync(folder);
  const file = join(folder, 'result.patch');
  const { patch } = await writePatch(store, { ...trees, file });
  expect(readFileSync(file)).toEqual(patch);
  writeFileSync(file, 'mine');
  const code = await writePatch(store, { ...trees, file }).then(
    () => 'written',
    (error: unknown) => (isFault(error) ? error.code : error),
  );
  expect([code, readFileSync(file, 'utf8')]).toEqual(['FILE_EXISTS', 'mine']);
  await writePatch(store, { ...trees, file, overwrite: true });
  expect(readFileSync(file)).toEqual(patch);
  expect(readdirSync(folder)).toEqual(['result.patch']);
});
