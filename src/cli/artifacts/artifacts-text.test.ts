import { expect, test } from 'vitest';
import type { ArtifactView } from '../../protocol/artifacts/artifact-view.ts';
import { artifactsText } from './artifacts-text.ts';
import { ARTIFACT, OPTIONS } from '../../app/views/artifacts/testing/plain-artifact.ts';

test('[PH4] an artifact is listed by path and version, by whom, when and how large, and by its id', () => {
  expect(artifactsText([ARTIFACT], OPTIONS)).toMatch(
    /^plan {4}specs\/plan\.md, version 2\n {8}by planner in phase planning, 2026-01-0\d \d\d:\d\d:\d\d, 1\.2 KB\n {8}r\/t1\/plan\/specs\/plan\.md@abcdabcdabcd$/,
  );
});

test.each<[Partial<ArtifactView>, string]>([
  [{ now: 'same' }, 'version 2'],
  [{ now: 'changed' }, 'version 2  changed since'],
  [{ now: 'gone' }, 'version 2  gone'],
  [{ now: 'replaced' }, 'version 2  replaced by a later version'],
  [{ now: 'unknown' }, 'version 2  its files are no longer stored'],
  [{ now: 'gone', undone: true }, 'version 2  undone, gone'],
])('[PH4] how its file is now: %j', (parts, ending) => {
  const [first = ''] = artifactsText([{ ...ARTIFACT, ...parts }], OPTIONS).split('\n');
  expect(first.endsWith(ending)).toBe(true);
});

test('a path cannot steer the terminal', () => {
  const path = 'a\u001B[2Jb\nc';
  const text = artifactsText([{ ...ARTIFACT, path, id: path, producer: path }], OPTIONS);
  expect(text).not.toContain('\u001B');
  expect(text.split('\n')).toHaveLength(3);
});
