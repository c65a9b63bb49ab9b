import { expect, test } from 'vitest';
import type { Fact } from '../../core/record/fact.ts';
import { bodyHash, runId, taskId, treeId } from '../../core/model/ids.ts';
import { filesText } from './files-story.ts';

const tree = treeId('a'.repeat(40));
const changed = {
  kind: 'files.changed',
  workspace: 'coder',
  tree,
  version: 2,
  base: tree,
  task: taskId('t1'),
} as const;

const SENTENCES: readonly (readonly [Fact, string | null])[] = [
  [{ kind: 'workspace.made', workspace: 'main', tree, version: 1 }, 'workspace main made'],
  [{ ...changed, why: 'work' }, null],
  [{ ...changed, why: 'outside' }, 'the workspace coder was changed from outside the run'],
  [{ ...changed, workspace: 'main', why: 'merge', from: 'coder' }, 'coder merged into main'],
  [{ ...changed, why: 'conflict', from: 'main' }, 'in conflict with main: both sides are in the workspace coder'],
  [{ ...changed, why: 'rollback' }, 'the workspace coder was put back'],
  [{ kind: 'resource.leased', workspace: 'main', values: { web_port: '3001' } }, 'workspace main has web_port=3001'],
  [
    { kind: 'project.changed', how: 'applied', before: tree, after: tree, kept: [], by: 'ada' },
    'ada put the changes into the project',
  ],
  [
    {
      kind: 'project.changed',
      how: 'applied',
      before: tree,
      after: tree,
      kept: [],
      by: 'ada',
      workspace: 'main',
      tree,
    },
    'ada put the changes into the project',
  ],
  [
    { kind: 'project.changed', how: 'applied', before: tree, after: tree, kept: [], by: 'ada', isBeginning: true },
    'ada begins to put the changes into the project',
  ],
  [
    { kind: 'project.changed', how: 'rolled-back', before: tree, after: tree, kept: ['x'], by: 'ada' },
    'ada took the changes out of the project; 1 path kept: changed meanwhile',
  ],
  [{ kind: 'run.paused', by: 'ada', reason: 'lunch\u001B[2J' }, 'paused by ada: lunch'],
  [{ kind: 'run.continued', by: 'x' }, 'continues'],
  [
    { kind: 'workspace.made', workspace: 'main', tree, version: 2, again: { base: tree } },
    'workspace main was missing and was restored',
  ],
  [
    { kind: 'run.forked', from: { run: runId('abc'), seq: 7 }, input: {}, by: 'ada' },
    'fork of run abc at record 7, made by ada',
  ],
  [
    { kind: 'run.redefined', definition: bodyHash('0123456789abcdef'), by: 'ada' },
    'ada lets it continue with another definition: 0123456789ab',
  ],
  [{ kind: 'run.rewound', to: 3, by: 'ada', state: null }, 'ada put its files back to record 3'],
  [
    { kind: 'rollback.started', outcome: 'failed', output: null, failure: null },
    'failed: the files go back to what they were before the run',
  ],
  [{ kind: 'run.resumed', epoch: 2 }, null],
];

test.each(SENTENCES)('[U1] %j is printed as a sentence', (fact, text) => {
  expect(filesText(fact)).toBe(text);
});
