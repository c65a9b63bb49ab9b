import { expect, test } from 'vitest';
import { paintFor } from '../terminal/colour.ts';
import { mergeLines } from './merge-lines.ts';
import type { MergeBranch, MergeOutcome } from '../../host/deliver/merge-outcome.ts';

const telling = {
  paint: paintFor({}, { NO_COLOR: '1' }),
  named: '7k2m',
  hasBranch: true,
  branch: 'troupe/7k2m',
  verify: null,
};

const lines = (parts: Partial<MergeBranch> & Pick<MergeOutcome, 'unverified' | 'check'>): string => {
  const outcome: MergeOutcome = {
    kind: 'result.branch',
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

test('[PD7] a check that passed is named with its command', () => {
  expect(lines({ check: { command: 'npm test', sandbox: 'none' } })).toMatch(/^The merged files pass `npm test`\.$/m);
});

test('[PD7] where all is committed git merges the branch', () => {
  expect(lines({ conflicts })).toContain('  take:     git merge troupe/7k2m   (git asks about the conflicts)');
  expect(lines({})).toContain('  take:  git merge troupe/7k2m   or   troupe deliver 7k2m --apply');
  expect(lines({})).toContain('  patch: troupe deliver 7k2m --patch FILE');
});

test('[PD7] what the run itself could not verify says so first', () => {
  const printed = lines({ unverified: 'The merged files do not pass `npm test`.' });
  expect(printed).toMatch(/^NOT VERIFIED: The merged files do not pass `npm test`\.\n/);
});

test('[PD7] a conflict names the ways to both sides, each with the check that was asked for', () => {
  const both = [{ path: 'a.txt', kind: 'content', ours: { text: 'x' }, theirs: { text: 'y' } }];
  const conflict = { kind: 'result.conflict', run: '7k2m', against: 'project', conflicts: both } as const;
  const printed = mergeLines(conflict, { ...telling, verify: 'npm test' }).join('\n');
  expect(printed).toContain("--apply --ours a.txt --verify 'npm test'");
  expect(printed).toContain("--apply --theirs a.txt --verify 'npm test'");
  expect(printed).toContain('Nothing was changed: 1 conflict, so `npm test` could not be tried.');
  expect(lines({ conflicts: both })).toContain('troupe deliver 7k2m --apply --theirs a.txt');
});

test('[U1] a path in a command is written as a shell takes it', () => {
  const odd = [{ path: "it's", kind: 'content', ours: { text: 'x' }, theirs: null }];
  expect(lines({ conflicts: odd })).toContain(String.raw`--ours 'it'\''s'`);
});
