import { expect, test } from 'vitest';
import type { TreeChange } from '../../workspace/store/port.ts';
import { changeViews } from './change-view.ts';

const file = (blob: string, mode = 0o644) => ({ kind: 'file', mode, blob }) as const;
const folder = { kind: 'folder', mode: 0o755 } as const;

test('[U1] each change says what happened to the path', () => {
  const changes: readonly TreeChange[] = [
    { path: 'a', before: null, after: file('1') },
    { path: 'b', before: file('1'), after: null },
    { path: 'c', before: file('1'), after: file('2') },
    { path: 'd', before: file('1'), after: file('1', 0o755) },
    { path: 'e', before: file('1'), after: { kind: 'link', blob: '2' } },
    { path: 'f', before: null, after: folder },
  ];
  expect(changeViews(changes)).toEqual([
    { path: 'a', change: 'added', kind: 'file' },
    { path: 'b', change: 'deleted', kind: 'file' },
    { path: 'c', change: 'modified', kind: 'file' },
    { path: 'd', change: 'mode', kind: 'file', mode: ['644', '755'] },
    { path: 'e', change: 'type', kind: 'link' },
    { path: 'f', change: 'added', kind: 'folder' },
  ]);
});

test('[U1] a folder that only became empty or filled is not listed', () => {
  const filled: readonly TreeChange[] = [
    { path: 'src', before: folder, after: null },
    { path: 'src/deep/a', before: null, after: file('1') },
  ];
  expect(changeViews(filled).map(({ path }) => path)).toEqual(['src/deep/a']);
  const emptied = filled.map(({ path, before, after }) => ({ path, before: after, after: before }));
  expect(changeViews(emptied).map(({ path }) => path)).toEqual(['src/deep/a']);
});

test('[U1] names that are no text, or that would steer a terminal, are shown safely', () => {
  const odd = { before: null, after: file('1') };
  const paths = [Buffer.from('a\u001B[2J').toString('latin1'), '\xFF', 'new\nline'];
  expect(changeViews(paths.map((path) => ({ path, ...odd }))).map(({ path }) => path)).toEqual([
    String.raw`"a\u{1b}[2J"`,
    String.raw`"\xff"`,
    String.raw`"new\nline"`,
  ]);
});
