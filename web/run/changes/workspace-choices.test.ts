import { expect, test } from 'vitest';
import { treeId } from '../../../src/core/model/ids.ts';
import type { ReviewFinding } from '../../../src/formats/review/rules/finding.ts';
import { recordedTree } from '../../model/testing/recorded-tree.ts';
import { entered, smallTree } from '../../model/testing/small-run.ts';
import { commentAction, commentText } from './comment-form.tsx';
import { diffFiles } from './diff-files.ts';
import { findingsOf, placeFindings } from '../../formats/review/findings-of.ts';
import { chosenWorkspace, missingWorkspace, workspaceChoices } from './workspace-choices.ts';

const TREE = recordedTree('review');
const CHOICES = workspaceChoices(TREE);

test('[U2] the files of every agent can be looked at, and those that were merged', () => {
  expect(CHOICES[0]).toMatchObject({ workspace: 'main', label: 'merged (main)' });
  const own = CHOICES.filter(({ workspace, agents }) => agents.length === 1 && agents[0]?.agent === workspace);
  expect(own.map(({ workspace }) => workspace)).toEqual(['impl_1', 'impl_2', 'impl_3']);
  expect(own.every(({ isChanged }) => isChanged)).toBe(true);
});

test('[U2] what is in the merged files is the work of whom they were merged from', () => {
  expect(CHOICES[0]?.agents).toEqual([{ run: TREE.root, agent: 'impl_1' }]);
});

test('[U2] without a choice it is what was merged, else what was changed', () => {
  expect(chosenWorkspace(CHOICES, {})?.isChanged).toBe(true);
  const [first, ...others] = CHOICES;
  const unmerged = first === undefined ? others : [{ ...first, isChanged: false }, ...others];
  expect(chosenWorkspace(unmerged, {})?.workspace).toBe(others[0]?.workspace);
  const agent = others[0]?.agents[0]?.agent ?? '';
  expect(chosenWorkspace(CHOICES, { agent })?.workspace).toBe(others[0]?.workspace);
  expect(chosenWorkspace(CHOICES, { workspace: others[1]?.workspace ?? '' })?.workspace).toBe(others[1]?.workspace);
  expect(chosenWorkspace([], {})).toBeNull();
});

test('[U2] a workspace in the address that the run does not have is called missing', () => {
  expect(missingWorkspace(CHOICES, { workspace: 't3.impl_1' })).toBe('t3.impl_1');
  expect(missingWorkspace(CHOICES, { workspace: 'impl_1' })).toBeNull();
  expect(missingWorkspace(CHOICES, {})).toBeNull();
});

const FINDING: ReviewFinding = {
  id: 'F1',
  implementation: 'ada',
  severity: 'major',
  priority: 2,
  file: 'src/slug.js',
  line: 2,
  claim: 'It is wrong.',
  change: 'Fix it.',
  by: 'bea',
  debate: 1,
  round: 0,
  isVerified: true,
  isTouched: null,
  earlier: [],
  closed: null,
};

test('[PD4] findings belong to the work they are about; the merged files are the work of the chosen agent', () => {
  const ledger = {
    findings: [FINDING, { ...FINDING, id: 'F2', implementation: 'eve' }],
    positions: [],
    reviewers: ['bea'],
  };
  const review = { ledger, decision: { decision: 'APPROVE', best: 'eve' } };
  const tree = smallTree(entered('a', 1), { kind: 'data.set', patch: { set: { review } } });
  const files = { tree: treeId('b'), base: treeId('a'), version: 1 };
  const choice = { label: '', version: 1, files, isChanged: true };
  const ids = (workspace: string, agent: string) =>
    findingsOf(tree, { ...choice, workspace, agents: [{ run: 'r', agent }] }).map(
      ({ run, finding }) => `${run} ${finding.id}`,
    );
  expect(ids('ada', 'ada')).toEqual(['r F1']);
  expect(ids('main', 'nobody')).toEqual(['r F2']);
});

test('[PD4] findings stand at the lines they name, or above the file where those are not shown', () => {
  const path = 'src/slug.js';
  const first = { ...FINDING, file: path };
  const files = diffFiles({
    kind: 'diff',
    run: 'r1',
    workspace: 'main',
    folder: '',
    before: '',
    after: '',
    files: [{ path, change: 'added', kind: 'file' }],
    added: 1,
    removed: 0,
    hasMore: false,
    patch: `diff --git a/${path} b/${path}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,2 @@\n+a\n+b\n`,
  });
  const at = (line: number | null, file: string | null = path) =>
    placeFindings([{ run: 'r', finding: { ...first, file, line } }], files);
  expect(at(2).byPath.get(path)?.[0]?.line).toBe(2);
  expect(at(70).byPath.get(path)?.[0]?.line).toBe(0);
  expect(at(null).byPath.get(path)?.[0]?.line).toBe(0);
  expect(at(1, 'elsewhere.js').elsewhere).toHaveLength(1);
});

test('[U2] a comment goes to the agent with its place and the line itself', () => {
  const place = { path: 'src/a.ts', line: 3, side: 'new', code: 'const x = 1;' } as const;
  expect(commentText(place, ' Why? ')).toBe('About src/a.ts, line 3:\n> const x = 1;\n\nWhy?');
  expect(commentText({ ...place, line: 0 }, 'Why?')).toBe('About src/a.ts:\n\nWhy?');
  expect(commentText({ ...place, side: 'old' }, 'Why?')).toBe(
    'About src/a.ts, a line that was removed (line 3 before):\n> const x = 1;\n\nWhy?',
  );
  const open = smallTree(entered('code', 1));
  expect(commentAction(open, { run: 'r', agent: 'ada' }, 'text')?.action).toEqual({
    kind: 'tell',
    run: 'r',
    agent: 'ada',
    text: 'text',
  });
});

test('[U2] after the end a comment begins a fork at the last step of that agent', () => {
  const planned = commentAction(TREE, { run: TREE.root, agent: 'impl_1' }, 'text');
  expect(planned?.action).toMatchObject({ kind: 'fork', run: TREE.root, tell: [{ agent: 'impl_1', text: 'text' }] });
  expect(planned?.what).toContain('this run stays as it is');
});
