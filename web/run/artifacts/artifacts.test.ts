import { describe, expect, test } from 'vitest';
import { smallTree } from '../../model/testing/small-run.ts';
import { artifactsOf, diffLine, newestByPath, previewKind, whyOf } from './tree-artifacts.ts';

const recorded = (hash: string, more: object = {}): object => ({
  kind: 'artifact.recorded',
  task: 't1',
  artifact: {
    id: `r:plan:${hash}`,
    type: 'plan',
    name: 'plan',
    producer: 'ada',
    phase: 'planning',
    path: 'plan.md',
    hash,
    bytes: 3,
    metadata: {},
    dependencies: [],
    ...more,
  },
});

describe('[PH4] artifacts of a tree', () => {
  test('every version is there, the newest stands for its file', () => {
    const tree = smallTree(recorded('a'), recorded('b'), recorded('c', { path: 'other.md', id: 'r:other:c' }));
    const all = artifactsOf(tree);
    expect(all.map(({ path, version }) => `${path} ${version}`)).toEqual(['plan.md 1', 'plan.md 2', 'other.md 1']);
    expect(newestByPath(all).map(({ hash }) => hash)).toEqual(['b', 'c']);
    expect(artifactsOf(tree)).toBe(all);
  });

  test('records show where one comes from', () => {
    const tree = smallTree(
      recorded('a'),
      recorded('b', { path: 'code.ts', id: 'r:code:b', dependencies: ['r:plan:a'] }),
    );
    const code = artifactsOf(tree).find(({ path }) => path === 'code.ts');
    if (code === undefined) throw new Error('It is not there.');
    expect(whyOf(tree, code).from).toMatchObject([{ artifact: { path: 'plan.md' } }]);
  });

  test('a run without any has none', () => expect(artifactsOf(smallTree())).toEqual([]));
});

describe('[U2] a look inside', () => {
  test('what the server found it to be counts more than its name', () => {
    expect(previewKind('a.md', 'text/plain; charset=utf-8')).toBe('markdown');
    expect(previewKind('a.md', 'image/png')).toBe('image');
    expect(previewKind('a.png', 'text/plain')).toBe('text');
    expect(previewKind('a.svg', 'text/plain')).toBe('text');
    expect(previewKind('x.PATCH', 'text/plain')).toBe('diff');
    expect(previewKind('a.json', 'application/octet-stream')).toBe('binary');
  });

  test('lines of a patch are marked by what they do', () => {
    expect(['+++ b', '@@ -1 +1 @@', '+new', '-old', ' same'].map(diffLine)).toEqual([
      'place',
      'place',
      'added',
      'removed',
      'same',
    ]);
  });
});
