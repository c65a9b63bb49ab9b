import { expect, test } from 'vitest';
import { cleanJson } from '../../../core/evaluate/clean-json.ts';
import { diffPlaces } from './diff-places.ts';
import type { FileDiff } from '../../../host/perform/files/file-diffs.ts';

const changed = (path: string, count: number): FileDiff => ({
  path,
  how: 'changed',
  added: count,
  removed: count,
  isBinary: false,
  bytes: 9000,
  text: '',
  hunks: Array.from({ length: count }, (_, at) => ({ before: [at * 3 + 1, 1], after: [at * 3 + 1, 1] })),
});

test('[PD2] the places of a small change are all there', () => {
  expect(diffPlaces([{ id: 'impl_1', files: [changed('a.ts', 2)] }])).toEqual({
    impl_1: {
      files: [{ path: 'a.ts', how: 'changed' }],
      hunks: {
        'a.ts': [
          [1, 1],
          [4, 1],
        ],
      },
    },
  });
});

test('[PD2] many implementations of thousands of files with long names still are a value that a workflow can keep', () => {
  const files = Array.from({ length: 3000 }, (_, at) => changed(`${'folder/'.repeat(20)}file${at}.ts`, 150));
  const places = diffPlaces(Array.from({ length: 8 }, (_, at) => ({ id: `impl_${at + 1}`, files })));
  expect(JSON.stringify(places).length).toBeLessThan(450_000);
  expect(cleanJson(places)).toBe(places);
  expect(places['impl_8']).toMatchObject({ files: { 0: { path: files[0]?.path } } });
});
