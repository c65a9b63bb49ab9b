import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyTrees, rollbackProject } from './apply-trees.ts';
import { picture, putFiles, storeWorld } from './testing/store-world.ts';
import type { Files } from './testing/store-world.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** A project into which a run's result was put. */
async function applied(files: Files, run: Files) {
  const world = await storeWorld();
  const { project, store } = world;
  putFiles(project, files);
  const before = await world.record(project);
  const after = await world.treeOf(run);
  await applyTrees(store, { from: before, to: after, project });
  const undo = async (leaveOut?: (path: string) => boolean) =>
    rollbackProject(store, { before, after, project, present: await world.record(project, leaveOut) });
  const redo = async () =>
    rollbackProject(store, { before: after, after: before, project, present: await world.record(project) });
  return { ...world, undo, redo, text: (path: string) => readFileSync(join(project, path), 'utf8') };
}

test('[PH7] the lines of the run go, those that the user wrote since stay, and it can be undone', async () => {
  const { project, undo, redo, text } = await applied(
    { a: LINES, b: 'b\n' },
    { a: LINES.replace('two', 'TWO'), c: 'c\n' },
  );
  writeFileSync(join(project, 'a'), text('a').replace('seven', 'seven, mine'));
  const rolled = await undo();
  expect(rolled).toMatchObject({ kind: 'applied', unmerged: [], written: ['a', 'b'], removed: ['c'] });
  expect(text('a')).toBe(LINES.replace('seven', 'seven, mine'));
  expect(text('b')).toBe('b\n');
  expect(await redo()).toMatchObject({ kind: 'applied', unmerged: [] });
  expect(text('a')).toBe(LINES.replace('two', 'TWO').replace('seven', 'seven, mine'));
});

test('[PH7] where user and run changed the same, the version of the user stays whole, and the rest goes back', async () => {
  const { project, undo, text } = await applied(
    { text: LINES, 'pic.bin': '\0one', gone: 'g\n', rest: 'r\n' },
    { text: LINES.replace('two', 'TWO'), 'pic.bin': '\0two', rest: 'R\n', made: 'm\n' },
  );
  putFiles(project, {
    text: LINES.replace('two', 'mine'),
    'pic.bin': '\0mine',
    gone: 'mine\n',
    made: 'mine\n',
  });
  const kept = picture(project);
  const rolled = await undo();
  expect(rolled.unmerged.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
    'gone both-added',
    'made deleted-by-them',
    'pic.bin binary',
    'text content',
  ]);
  expect(text('rest')).toBe('r\n');
  const { rest: _then, ...others } = picture(project);
  const { rest: _now, ...before } = kept;
  expect(others).toEqual(before);
});

test('[PH7] a file that the user renamed since loses the lines of the run under its new name', async () => {
  const { project, undo, text } = await applied({ a: LINES }, { a: LINES.replace('two', 'TWO') });
  renameSync(join(project, 'a'), join(project, 'b'));
  expect(await undo()).toMatchObject({ unmerged: [] });
  expect(text('b')).toBe(LINES);
});

test('[PH7] files that the change itself made the project ignore are rolled back too', async () => {
  const { project, undo, text } = await applied({ log: 'before\n' }, { log: 'after\n', '.gitignore': 'log\n' });
  expect(await undo((path) => path === 'log')).toMatchObject({ kind: 'applied', unmerged: [] });
  expect(text('log')).toBe('before\n');
  rmSync(join(project, 'log'));
  expect(picture(project)).toEqual({});
});

test('[PH7] a folder whose mode both changed keeps the mode of the user; what the run did in it goes back', async () => {
  const { project, undo, text } = await applied(
    { 'src/run': 'old\n' },
    { 'src/': { mode: 0o700 }, 'src/run': 'by the run\n', 'src/made': 'by the run\n' },
  );
  chmodSync(join(project, 'src'), 0o750);
  const rolled = await undo();
  expect(rolled.unmerged.map(({ path, kind }) => `${path} ${kind}`)).toEqual(['src mode']);
  expect(text('src/run')).toBe('old\n');
  expect(picture(project)).toMatchObject({ src: 'folder 750' });
  expect(Object.keys(picture(project))).toEqual(['src', 'src/run']);
});

test('[PH7] a file that the run renamed and the user changed at the same lines stays where the user has it', async () => {
  const { project, undo, text } = await applied({ a: LINES, c: 'c\n' }, { b: LINES.replace('two', 'TWO'), c: 'C\n' });
  writeFileSync(join(project, 'b'), LINES.replace('two', 'mine'));
  const rolled = await undo();
  expect(rolled.unmerged.map(({ path, kind }) => `${path} ${kind}`)).toEqual(['b content']);
  expect(Object.keys(picture(project))).toEqual(['b', 'c']);
  expect([text('b'), text('c')]).toEqual([LINES.replace('two', 'mine'), 'c\n']);
});
