import { expect, test } from 'vitest';
import { hasMarks, unresolvedMarkers } from './conflict.ts';
import { mergeTrees } from './merge-trees.ts';
import type { MergedTrees } from './merge-trees.ts';
import { putFiles, storeWorld } from './testing/store-world.ts';
import type { Files } from './testing/store-world.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const LABELS = { base: 'start', ours: 'you', theirs: 'agent' };

async function merged(base: Files, ours: Files, theirs: Files) {
  const world = await storeWorld();
  const [first, second, third] = [await world.treeOf(base), await world.treeOf(ours), await world.treeOf(theirs)];
  const result = await mergeTrees(world.store, { base: first, ours: second, theirs: third, labels: LABELS });
  const expected = async (files: Files) => expect(result.tree).toBe(await world.treeOf(files));
  return { ...world, result, expected };
}

const kinds = (result: MergedTrees) =>
  result.kind === 'clean' ? [] : result.conflicts.map(({ path, kind }) => `${kind} ${path}`);

test('[Q9] changes of both sides come together, in one file and in several', async () => {
  const { result, expected } = await merged(
    { 'a.txt': LINES, 'gone.txt': 'x', 'same.txt': '1', 'run.sh': '#!' },
    { 'a.txt': LINES.replace('one', 'ONE'), 'same.txt': '2', 'gone.txt': 'x', 'ours.txt': 'o', 'run.sh': '#!' },
    {
      'a.txt': LINES.replace('seven', 'SEVEN'),
      'same.txt': '2',
      'theirs/t.txt': 't',
      'run.sh': { content: '#!', mode: 0o755 },
    },
  );
  expect(kinds(result)).toEqual([]);
  await expected({
    'a.txt': LINES.replace('one', 'ONE').replace('seven', 'SEVEN'),
    'same.txt': '2',
    'ours.txt': 'o',
    'theirs/t.txt': 't',
    'run.sh': { content: '#!', mode: 0o755 },
  });
});

test('[PD7] lines both changed are a conflict with both sides, and a tree with marks that name them', async () => {
  const { result, store, treeOf } = await merged(
    { 'a.txt': LINES },
    { 'a.txt': LINES.replace('two', 'ours') },
    { 'a.txt': LINES.replace('two', 'theirs') },
  );
  if (result.kind !== 'conflict') throw new Error('expected a conflict');
  const [conflict] = result.conflicts;
  expect(conflict).toMatchObject({ path: 'a.txt', kind: 'content', ours: { mode: 0o644 } });
  expect([conflict?.base?.text, conflict?.ours?.text, conflict?.theirs?.text]).toEqual([
    LINES,
    LINES.replace('two', 'ours'),
    LINES.replace('two', 'theirs'),
  ]);
  const entry = (await store.entries(result.tree)).get('a.txt');
  const text = String(await store.read(entry?.kind === 'file' ? entry.blob : ''));
  expect(text).toContain('<<<<<<< you\nours\n||||||| start\ntwo\n=======\ntheirs\n>>>>>>> agent\n');
  const base = await treeOf({ 'a.txt': LINES });
  expect(await unresolvedMarkers(store, { tree: result.tree, base }, ['a.txt', 'none'])).toEqual([
    { path: 'a.txt', line: 2 },
  ]);
});

test('[PD7] each way of disagreeing has a name', async () => {
  const base: Files = {
    'deleted-by-us': 'x\n',
    'deleted-by-them': 'x\n',
    mode: { content: 'x', mode: 0o644 },
    type: 'x\n',
    binary: Buffer.from('\0one'),
    link: { link: 'a' },
    'folder/keep': '',
  };
  const { result } = await merged(
    base,
    {
      'deleted-by-them': 'changed\n',
      mode: { content: 'x', mode: 0o600 },
      type: { link: 'elsewhere' },
      binary: Buffer.from('\0two'),
      link: { link: 'b' },
      'both-added': 'ours\n',
      'folder-file': 'file',
      folder: 'a file now',
    },
    {
      'deleted-by-us': 'changed\n',
      mode: { content: 'x', mode: 0o755 },
      type: 'changed\n',
      binary: Buffer.from('\0three'),
      link: { link: 'c' },
      'both-added': 'theirs\n',
      'folder-file/inside': 'x',
      'folder/keep': '',
      'folder/new': 'x',
    },
  );
  expect(kinds(result)).toEqual([
    'binary binary',
    'both-added both-added',
    'deleted-by-them deleted-by-them',
    'deleted-by-us deleted-by-us',
    'folder-file folder',
    'folder-file folder-file',
    'link link',
    'mode mode',
    'type type',
  ]);
});

test('[PD7] where no marks can be, the tree of a conflict has what its author made, so that nothing of it is lost', async () => {
  const theirs: Files = {
    'deleted-by-us': 'changed\n',
    mode: { content: 'x', mode: 0o755 },
    'mode-and-more': { content: `${LINES}theirs\n`, mode: 0o755 },
    type: 'changed\n',
    binary: Buffer.from('\0three'),
    link: { link: 'c' },
    'folder-here/inside': 'x',
    'folder-here/as-it-was': 'x',
    'file-here': 'a file',
  };
  const { result, expected } = await merged(
    {
      'deleted-by-us': 'x\n',
      'deleted-by-them': 'x\n',
      mode: { content: 'x', mode: 0o644 },
      'mode-and-more': LINES,
      type: 'x\n',
      binary: Buffer.from('\0one'),
      link: { link: 'a' },
      'folder-here/as-it-was': 'x',
    },
    {
      'deleted-by-them': 'changed\n',
      mode: { content: 'x', mode: 0o600 },
      'mode-and-more': { content: `ours\n${LINES}`, mode: 0o600 },
      type: { link: 'elsewhere' },
      binary: Buffer.from('\0two'),
      link: { link: 'b' },
      'folder-here': 'a file',
      'file-here/inside': 'x',
      'ours-alone': 'x',
    },
    theirs,
  );
  if (result.kind !== 'conflict') throw new Error('expected a conflict');
  expect(result.conflicts.filter(({ kind }) => hasMarks(kind))).toEqual([]);
  expect(result.conflicts.map(({ path }) => path)).toEqual([
    'binary',
    'deleted-by-them',
    'deleted-by-us',
    'file-here',
    'folder-here',
    'link',
    'mode',
    'mode-and-more',
    'type',
  ]);
  const both = { content: `ours\n${LINES}theirs\n`, mode: 0o755 };
  await expected({ ...theirs, 'mode-and-more': both, 'ours-alone': 'x' });
});

test('modes beyond the executable bit, links and empty folders follow the same rule', async () => {
  const { result, expected } = await merged(
    { a: { content: 'a', mode: 0o644 }, 'empty/': '', 'both/': '', l: { link: 'one' }, 'd/x': '', 'd/y': '' },
    { a: { content: 'a', mode: 0o600 }, 'empty/': '', 'both/ours': '', l: { link: 'one' }, 'd/y': '' },
    { a: { content: 'b', mode: 0o644 }, 'new/': { mode: 0o700 }, 'both/': '', l: { link: 'two' }, 'd/x': '' },
  );
  expect(kinds(result)).toEqual([]);
  // Each side removed one file of d and kept the folder, so the folder stays.
  await expected({
    a: { content: 'b', mode: 0o600 },
    'new/': { mode: 0o700 },
    'both/ours': '',
    l: { link: 'two' },
    'd/': '',
  });
});

test('a folder that both made keeps the mode it has here, and what either put in comes together', async () => {
  const { result, expected } = await merged(
    {},
    { 'd/': { mode: 0o700 }, 'd/ours': '' },
    { 'd/': { mode: 0o755 }, 'd/theirs': '' },
  );
  expect(kinds(result)).toEqual([]);
  await expected({ 'd/': { mode: 0o700 }, 'd/ours': '', 'd/theirs': '' });
});

test('a file that one side renamed and the other changed is merged under its new name', async () => {
  const { result, expected } = await merged(
    { 'old.txt': LINES, 'theirs-old.txt': `${LINES}${LINES}` },
    { 'new/name.txt': LINES, 'theirs-old.txt': `${LINES}${LINES}`.replace('one', 'ONE') },
    { 'old.txt': LINES.replace('six', 'SIX'), 'theirs-new.txt': `${LINES}${LINES}` },
  );
  expect(result.renames).toEqual([
    { from: 'old.txt', to: 'new/name.txt' },
    { from: 'theirs-old.txt', to: 'theirs-new.txt' },
  ]);
  await expected({
    'new/name.txt': LINES.replace('six', 'SIX'),
    'theirs-new.txt': `${LINES}${LINES}`.replace('one', 'ONE'),
  });
});

test('[D43] attributes and merge programs named by the files have no say', async () => {
  const attributes = '* merge=union\n*.txt merge=evil conflict-marker-size=3 -text\n';
  const { result } = await merged(
    { '.gitattributes': attributes, 'a.txt': 'x\n' },
    { '.gitattributes': attributes, 'a.txt': 'ours\n' },
    { '.gitattributes': attributes, 'a.txt': 'theirs\n' },
  );
  expect(kinds(result)).toEqual(['content a.txt']);
});

test('[C35] names with newlines, bytes that are no text and case twins are merged like any other', async () => {
  const world = await storeWorld();
  const odd = 'new\nline \u001b[31m';
  const base = await world.treeOf({ [odd]: LINES, Case: '1', case: '2' });
  const ours = await world.treeOf({ [odd]: LINES.replace('one', 'ONE'), Case: '1', case: 'two' });
  const theirs = await world.treeOf({ [odd]: LINES.replace('six', 'SIX'), Case: 'one', case: '2' });
  const bytes = '\xff\xfe/\x80';
  const withBytes = async (tree: typeof base, content: string) => {
    const blob = await world.store.addBlob(Buffer.from(content));
    return world.store.write(
      new Map([...(await world.store.entries(tree)), [bytes, { kind: 'file', mode: 0o644, blob }]]),
    );
  };
  const result = await mergeTrees(world.store, {
    base: await withBytes(base, LINES),
    ours: await withBytes(ours, LINES),
    theirs: await withBytes(theirs, 'changed'),
  });
  expect(kinds(result)).toEqual([]);
  const wanted = await world.treeOf({
    [odd]: LINES.replace('one', 'ONE').replace('six', 'SIX'),
    Case: 'one',
    case: 'two',
  });
  expect(result.tree).toBe(await withBytes(wanted, 'changed'));
});

test('a special file the agent left is reported and not merged; where the user had a file it is a conflict', async () => {
  const world = await storeWorld();
  const base = await world.treeOf({ a: 'x' });
  const pipe = { kind: 'unkept', why: 'special' } as const;
  const theirs = await world.store.write(new Map([...(await world.store.entries(base)), ['pipe', pipe]]));
  const clean = await mergeTrees(world.store, { base, ours: base, theirs });
  expect(clean).toMatchObject({ kind: 'clean', tree: base, leftOut: [{ path: 'pipe', why: 'special' }] });
  const replaced = await world.store.write(new Map([['a', pipe]]));
  const refused = await mergeTrees(world.store, { base, ours: base, theirs: replaced });
  expect(kinds(refused)).toEqual(['unkept a']);
  expect((await world.store.entries(refused.tree)).get('a')).toEqual(pipe);
});

test('a long text in a conflict is cut, and says so', async () => {
  const long = 'x'.repeat(100_000);
  const { result } = await merged({}, { a: `${long}ours` }, { a: `${long}theirs` });
  const side = result.kind === 'conflict' ? result.conflicts[0]?.ours : null;
  expect(side?.text?.length).toBe(16 * 1024);
  expect(side?.isCut).toBe(true);
});

test('a conflict that was solved has no marks any more, and a heading is none', async () => {
  const world = await storeWorld();
  putFiles(world.project, {
    a: 'Title\n=======\n<<<<<<<x\n',
    b: '<<<<<<< you\r\na\r\n=======\r\nb\r\n>>>>>>> agent\r\n',
  });
  const tree = await world.record(world.project);
  const base = await world.treeOf({});
  expect(await unresolvedMarkers(world.store, { tree, base }, ['a', 'b'])).toEqual([{ path: 'b', line: 1 }]);
});

test('marks that a file had before are its own text, and only those that came are of a conflict', async () => {
  const world = await storeWorld();
  const lesson = '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n';
  const marks = '<<<<<<< main\nc\n=======\nd\n>>>>>>> chef\n';
  const base = await world.treeOf({ 'lesson.md': lesson, 'both.md': lesson, 'twice.md': lesson });
  const tree = await world.treeOf({
    'lesson.md': `Changed.\n${lesson}`,
    'both.md': `${lesson}${marks}`,
    'twice.md': `${lesson}${lesson}`,
  });
  expect(await unresolvedMarkers(world.store, { tree, base }, ['lesson.md', 'both.md', 'twice.md'])).toEqual([
    { path: 'both.md', line: 6 },
    { path: 'twice.md', line: 6 },
  ]);
});

test('[Q9] in conflict about a mode alone the author gets the content that both sides together made', async () => {
  const { result, store, treeOf, expected } = await merged(
    { run: { content: 'old\n', mode: 0o644 } },
    { run: { content: 'new in main\n', mode: 0o755 } },
    { run: { content: 'old\n', mode: 0o600 } },
  );
  expect(kinds(result)).toEqual(['mode run']);
  await expected({ run: { content: 'new in main\n', mode: 0o600 } });
  const ours = await treeOf({ run: { content: 'new in main\n', mode: 0o755 } });
  // The author says that its mode counts: what main has is not reverted.
  const again = await mergeTrees(store, { base: ours, ours, theirs: result.tree });
  expect(again).toMatchObject({ kind: 'clean', tree: result.tree });
});
