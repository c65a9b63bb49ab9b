import { expect, test } from 'vitest';
import { began, callOf, made, putBack, testTree, work, type TestFact } from '../workflow-state/testing/test-records.ts';
import { foldArtifacts } from './fold-artifacts.ts';

const fold = (...lines: readonly (readonly [string, TestFact])[]) => foldArtifacts(testTree(lines));

test('[PH4] an artifact has the fields of the document, its hash, its version and where it was recorded', () => {
  const [artifact] = fold(['r', began('r')], ['r/t1', made('t2', 'a.ts', { dependencies: ['p'], metadata: { x: 1 } })]);
  expect(artifact).toEqual({
    id: 'a.ts@aa11',
    type: 'code',
    producer: 'coder',
    created_at: '1970-01-01T00:00:02.000Z',
    path: 'a.ts',
    metadata: { x: 1 },
    dependencies: ['p'],
    name: 'out',
    phase: 'build',
    hash: `aa11${'0'.repeat(60)}`,
    bytes: 3,
    version: 1,
    run: 'r/t1',
    record: 1,
    task: 't2',
  });
});

const versions = (...lines: readonly (readonly [string, TestFact])[]): readonly string[] =>
  fold(...lines).map(({ path, version, hash }) => `${path} ${version} ${hash.slice(0, 2)}`);

test('[PH4] versions count the contents of a path, over all runs of the tree', () => {
  expect(
    versions(
      ['r/t1', made('t1', 'a', { hash: 'aa' })],
      ['r/t2', made('t1', 'b', { hash: 'bb' })],
      ['r/t3', made('t1', 'a', { hash: 'cc' })],
      ['r/t4', made('t1', 'a', { hash: 'aa' })],
    ),
  ).toEqual(['a 1 aa', 'b 1 bb', 'a 2 cc', 'a 3 aa']);
});

test('[PH4] the same content from another producer is a separate artifact of the same version', () => {
  expect(versions(['r', made('t1', 'a')], ['r', made('t2', 'a', { id: 'mine' })])).toEqual(['a 1 aa', 'a 1 aa']);
});

test('[PH4] an artifact recorded twice is listed once', () => {
  expect(versions(['r', made('t1', 'a')], ['r', made('t2', 'a')])).toEqual(['a 1 aa']);
});

test('[PH7] what the run was put back to before is kept, and marked', () => {
  const artifacts = fold(
    ['r', began('r')],
    ['r', work('t1', 's', callOf('w'))],
    ['r/t1', made('t1', 'a')],
    ['r', putBack(1)],
    ['r', work('t2', 's', callOf('w'))],
    ['r/t2', made('t1', 'a')],
  );
  expect(artifacts.map(({ run, undone }) => [run, undone])).toEqual([
    ['r/t1', true],
    ['r/t2', undefined],
  ]);
});
