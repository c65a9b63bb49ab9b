import { expect, test } from 'vitest';
import { diffBases, diffWords } from './diff-bases.ts';
import { by, entered, smallRun } from './testing/small-run.ts';

const CHANGED = {
  kind: 'files.changed',
  workspace: 'main',
  tree: 't2',
  version: 2,
  base: 't1',
  why: 'work',
  task: 't1',
};

const RUN = smallRun(entered('code', 1), CHANGED, entered('review', 1, by('code')), entered('code', 2, by('review')));

const MAIN = { workspace: 'main', branches: [] };

test('[U2] changes are compared with the beginning of the run unless something else is chosen', () => {
  const { base, range } = diffBases(RUN, {}, MAIN);
  expect(base.value).toBe('start');
  expect(range).toEqual({});
  expect(diffBases(RUN, { base: 'nonsense' }, MAIN).range).toEqual({});
});

test('[U2] one step alone: the selected one, else the last that changed these files', () => {
  expect(diffBases(RUN, { base: 'step' }, MAIN)).toMatchObject({
    base: { label: 'only in code #1' },
    range: { from: '2', to: '4' },
  });
  expect(diffBases(RUN, { base: 'step', state: 'code', visit: 2 }, MAIN).range).toEqual({ from: '5' });
  expect(diffBases(RUN, {}, { ...MAIN, workspace: 'other' }).bases.map(({ value }) => value)).not.toContain('step');
});

test('[U2] any step is a base, the newest first, and so are the user’s own files', () => {
  const { bases } = diffBases(RUN, {}, MAIN);
  expect(bases.map(({ value, label }) => `${value} ${label}`)).toEqual([
    'start since the run began',
    'step only in code #1',
    'project against your files now',
    '5 since code #2',
    '4 since review',
    '2 since code #1',
  ]);
  expect(diffBases(RUN, { base: '4' }, MAIN).range).toEqual({ from: '4' });
  expect(diffBases(RUN, { base: 'project' }, MAIN).range).toEqual({ project: true });
});

const BRANCHES = [
  { name: 'trunk', commit: 'c1', at: 2, isCurrent: true },
  { name: 'feature/x', commit: 'c2', at: 1 },
] as const;

test('[U2] branches are bases by name, before the steps, and so is any other name that the address says', () => {
  const at = (base: string) => diffBases(RUN, { base }, { ...MAIN, branches: BRANCHES });
  expect(at('start').bases.map(({ value }) => value)).toEqual([
    'start',
    'step',
    'project',
    'ref:trunk',
    'ref:feature/x',
    '5',
    '4',
    '2',
  ]);
  expect(at('ref:trunk')).toMatchObject({ range: { against: 'trunk' }, words: 'against trunk (checked out)' });
  expect(at('ref:v1~2')).toMatchObject({ base: { label: 'against v1~2' }, range: { against: 'v1~2' } });
  expect(at('ref:').range).toEqual({});
  const many = Array.from({ length: 50 }, (_, place) => ({ name: `b${place}`, commit: 'c', at: 0 }));
  const { bases, range } = diffBases(RUN, { base: 'ref:b40' }, { ...MAIN, branches: many });
  expect(bases.filter(({ group }) => group === 'Branches')).toHaveLength(21);
  expect(range).toEqual({ against: 'b40' });
});

test('[U2] the same comparison as a command', () => {
  expect(diffWords('r1', 'main', { against: 'v1' })).toBe('troupe diff r1 --workspace main --against v1');
  expect(diffWords('r1', 'main', { against: '-x' })).toBe('troupe diff r1 --workspace main --against=-x');
  expect(diffWords('r1', "it's", { from: '2', to: '4' })).toBe(`troupe diff r1 --workspace 'it'\\''s' --from 2 --to 4`);
  expect(diffWords('r1', 'main', { project: true })).toBe('troupe diff r1 --workspace main --project');
});
