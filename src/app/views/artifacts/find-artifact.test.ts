import { expect, test } from 'vitest';
import type { ArtifactView } from '../../../protocol/artifacts/artifact-view.ts';
import { findArtifact } from '../artifacts-of.ts';
import { ARTIFACT } from './testing/plain-artifact.ts';

const one = (
  run: string,
  path: string,
  version: number,
  hash: string,
  more: Partial<ArtifactView> = {},
): ArtifactView => ({
  ...ARTIFACT,
  id: `${run}/out/${path}@${hash}`,
  path,
  hash: hash.padEnd(64, '0'),
  version,
  run,
  ...more,
});

const ALL = [
  one('r/t1', 'specs/plan.md', 1, 'abcd11'),
  one('r/t2', 'src/a.ts', 1, 'abce22'),
  one('r/t3', 'specs/plan.md', 2, 'ffff33'),
  one('r/t4', 'specs/plan.md', 3, '999944', { undone: true }),
  one('r/t5', 'notes#2', 1, '777755'),
];

test.each([
  ['r/t1/out/specs/plan.md@abcd11', 'r/t1', 'its id'],
  ['t1/out/specs/plan.md@abcd11', 'r/t1', 'its id without the run'],
  ['r/t1', 'r/t1', 'a beginning of its id'],
  ['t2', 'r/t2', 'a beginning without the run'],
  ['abcd', 'r/t1', 'a beginning of its hash'],
  ['ABCD1', 'r/t1', 'the same in capitals'],
  ['specs/plan.md', 'r/t3', 'its path: the newest version that counts'],
  ['./specs/plan.md#1', 'r/t1', 'an earlier version of a path'],
  ['specs/plan.md#2', 'r/t3', 'a version of a path'],
  ['specs/plan.md#3', 'r/t4', 'a version that was undone, when it is asked for'],
  ['notes#2', 'r/t5', 'a path that looks like a version'],
])('[PH4] %s names an artifact of %s by %s', (text, run) => {
  expect(findArtifact(ALL, text, 'r').run).toBe(run);
});

test.each([
  ['nothing', 'ARTIFACT_UNKNOWN'],
  ['', 'ARTIFACT_UNKNOWN'],
  ['abc', 'ARTIFACT_UNKNOWN'],
  ['specs/plan.md#7', 'ARTIFACT_UNKNOWN'],
  ['r/t', 'ARTIFACT_AMBIGUOUS'],
])('[PH4] "%s" is refused with %s', (text, code) => {
  expect(() => findArtifact(ALL, text, 'r')).toThrow(expect.objectContaining({ code, hint: expect.any(String) }));
});

test('[PH4] one content that two recorded is one answer', () => {
  const twice = [one('r/t1', 'a', 1, 'abcd'), one('r/t2', 'a', 1, 'abcd')];
  expect(findArtifact(twice, 'abcd', 'r').run).toBe('r/t2');
});

test('a run without artifacts says so', () => {
  expect(() => findArtifact([], 'a', 'r')).toThrow(expect.objectContaining({ hint: 'The run has no artifacts.' }));
});
