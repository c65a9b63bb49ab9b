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

test('[U2] changes are compared with the beginning of the run unless something else is chosen', () => {
  const { base, range } = diffBases(RUN, {}, 'main');
  expect(base.value).toBe('start');
  expect(range).toEqual({});
  expect(diffBases(RUN, { base: 'nonsense' }, 'main').range).toEqual({});
});

test('[U2] one step alone: the selected one, else the last that changed these files', () => {
  expect(diffBases(RUN, { base: 'step' }, 'main')).toMatchObject({
    base: { label: 'only in code #1' },
    range: { from: '2', to: '4' },
  });
  expect(diffBases(RUN, { base: 'step', state: 'code', visit: 2 }, 'main').range).toEqual({ from: '5' });
  expect(diffBases(RUN, {}, 'other').bases.map(({ value }) => value)).not.toContain('step');
});

test('[U2] any step is a base, the newest first, and so are the user’s own files', () => {
  const { bases } = diffBases(RUN, {}, 'main');
  expect(bases.map(({ value, label }) => `${value} ${label}`)).toEqual([
    'start since the run began',
    'step only in code #1',
    'project against your files now',
    '5 since code #2',
    '4 since review',
    '2 since code #1',
  ]);
  expect(diffBases(RUN, { base: '4' }, 'main').range).toEqual({ from: '4' });
  expect(diffBases(RUN, { base: 'project' }, 'main').range).toEqual({ project: true });
});

test('[U2] the same comparison as a command', () => {
  expect(diffWords('r1', "it's", { from: '2', to: '4' })).toBe(`troupe diff r1 --workspace 'it'\\''s' --from 2 --to 4`);
  expect(diffWords('r1', 'main', { project: true })).toBe('troupe diff r1 --workspace main --project');
});
