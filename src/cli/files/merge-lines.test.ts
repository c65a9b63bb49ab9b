import { expect, test } from 'vitest';
import { paintFor } from '../terminal/colour.ts';
import { mergeLines } from './merge-lines.ts';
import type { MergeBranch } from './merge-outcome.ts';

const telling = { paint: paintFor({}, { NO_COLOR: '1' }), named: '7k2m', hasBranch: true, branch: 'troupe/7k2m' };

const lines = (parts: Partial<MergeBranch>): string => {
  const outcome: MergeBranch = {
    kind: 'merge.branch',
    run: '7k2m',
    branch: 'troupe/7k2m',
    commit: 'c',
    changes: [],
    leftOut: [],
    conflicts: [],
    uncommitted: [],
    ...parts,
  };
  return mergeLines(outcome, telling).join('\n');
};

const conflicts = [{ path: 'a.txt', kind: 'content' }];

test('[PD7] where work is not committed the way through git begins with committing it', () => {
  expect(lines({ conflicts, uncommitted: ['b.txt'] })).toContain(
    '  take:     commit your work, then   git cherry-pick troupe/7k2m   (git asks about the conflicts)',
  );
  expect(lines({ uncommitted: ['b.txt'] })).toContain('commit your work, then   git cherry-pick troupe/7k2m');
});

test('[PD7] where all is committed git merges the branch', () => {
  expect(lines({ conflicts })).toContain('  take:     git merge troupe/7k2m   (git asks about the conflicts)');
  expect(lines({})).toContain('  take:  git merge troupe/7k2m   or   troupe merge 7k2m --apply');
});

test('[U1] a path in a command is written as a shell takes it', () => {
  const odd = [{ path: "it's", kind: 'content', ours: { text: 'x' }, theirs: null }];
  expect(lines({ conflicts: odd })).toContain(String.raw`--ours 'it'\''s'`);
});
