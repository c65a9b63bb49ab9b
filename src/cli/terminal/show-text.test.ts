import { NO_RESULT, resultAs } from '../../core/look/result-state.ts';
import { expect, test } from 'vitest';
import type { DeliveryFinished } from '../../core/record/delivery-fact.ts';
import { runId, treeId } from '../../core/model/ids.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import { DEFAULT_LIMITS } from '../../core/model/workflow.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { handedText } from './result-fields.ts';
import { showText } from './show-text.ts';

const VIEW: RunView = {
  kind: 'run',
  run: 'r1',
  parent: null,
  workflow: 'w',
  project: '/p',
  status: 'settled',
  outcome: 'ok',
  result: NO_RESULT,
  output: null,
  failure: null,
  input: {},
  data: {},
  state: 'stop',
  states: ['start', 'start', 'stop'],
  contexts: [],
  usage: NO_USAGE,
  costUsd: 0,
  limits: DEFAULT_LIMITS,
  errors: [],
  questions: [],
  startedAt: 0,
  updatedAt: 3_600_000,
  time: { workedMs: 3_600_000, waitedMs: 0, pausedMs: 0 },
  seq: 9,
  folder: '/h/runs/r1/work',
  children: [],
  driven: false,
};

const shown = (parts: Partial<RunView>): string => showText({ ...VIEW, ...parts }, (_style, text) => text);

const failure = { code: 'AUTH_FAILED', message: 'Refused.', class: 'auth' } as const;
const error = (at: number) => ({ at, state: 'start', ...failure });

test('[U1] a run took as long as until its end, whatever was noted of it later; an open one has taken so long so far', () => {
  expect(shown({ endedAt: 11_000, time: { workedMs: 11_000, waitedMs: 0, pausedMs: 0 } })).toContain(', took 11 s\n');
  expect(shown({ status: 'running' })).toContain(', 1h 00m so far\n');
  const time = { workedMs: 2000, waitedMs: 3_600_000, pausedMs: 120_000 };
  expect(shown({ status: 'waiting', time })).toContain(', 2.0 s so far, waited 1h 00m for a person, paused 2m 00s\n');
});

test('[A5] the share of the input that a cache had is shown, where one had any', () => {
  const usage = { ...NO_USAGE, inputTokens: 3000, outputTokens: 10, cacheReadTokens: 1999, calls: 2 };
  expect(shown({ usage })).toContain('3k tokens in 2 calls, 66% of the input from cache, $0.00\n');
  expect(shown({ usage: { ...usage, cacheReadTokens: 0 } })).toContain('3k tokens in 2 calls, $0.00\n');
});

test('[U1] the error that the run failed with is shown in its status alone', () => {
  const text = shown({ outcome: 'failed', failure, errors: [error(5)] });
  expect(text.match(/AUTH_FAILED/g)).toHaveLength(1);
});

test('[U1] an error that came twice is shown once, with its count, also when the run failed with it', () => {
  const twice = [error(5), error(9)];
  expect(shown({ errors: twice })).toMatch(/^error {5}start: AUTH_FAILED: Refused\. ×2$/m);
  expect(shown({ outcome: 'failed', failure, errors: twice })).toMatch(/^error .* ×2$/m);
});

test.each([
  ['there', {}, '/f'],
  ['not-made', {}, '/f (not made: no agent has used a tool)'],
  ['removed', {}, '/f (removed; restored when it is needed)'],
  ['elsewhere', {}, 'on a worker; its files are in the shared store'],
  ['pruned', {}, '/f (removed, and its files are no longer stored)'],
  ['there', { overlay: 'abcdef0123456789' }, 'overlay over abcdef012345; changed files in /f'],
] as const)('[U1] a folder that is %s %o is shown as such', (state, more, text) => {
  const folders = [
    { workspace: 'main', folder: '/f', state, ...more },
    { workspace: 'coder', folder: '/f', state, ...more },
  ];
  const lines = shown({ folders }).split('\n');
  expect(lines).toContain(`folder    ${text}`);
  expect(lines).toContain(`workspace coder: ${text}`);
});

test('[U1] questions are shown by their short names, with the command that answers', () => {
  const question = { id: 'permit/t1/call_x', name: 'q2', run: 'r1', kind: 'permission', text: 'May it?' } as const;
  const text = shown({
    status: 'waiting',
    questions: [{ ...question, choices: ['yes', 'no'], state: 'start', at: 1 }],
  });
  expect(text).toContain('question  q2: May it?\n          troupe answer r1 q2 yes   # or: no');
  expect(text).not.toContain('call_x');
});

test('[U1] a fork says of which run it is one, and what it is about', () => {
  const text = shown({ forkedFrom: { run: runId('r0'), seq: 7 }, title: 'Anew', forks: ['r2'] });
  expect(text).toContain('about     Anew\nfork of   r0 at record 7\nforks     r2\n');
});

test('[U1] a pause says who wanted it, or what has to be fixed and how', () => {
  const held = { by: 'ann', reason: 'lunch', since: 1 };
  expect(shown({ status: 'paused', held })).toContain('paused    by ann: lunch');
  const full = { code: 'DISK_FULL', message: 'No space.', class: 'config', hint: 'Free some.' } as const;
  expect(shown({ status: 'paused', held: { ...held, failure: full } })).toContain(
    'paused    DISK_FULL: No space.\n          Free some.',
  );
});

test('[U1] a result that is on its way is shown as such, and changes that were not delivered wait', () => {
  const waiting = { folder: '/f', state: 'there', isWaiting: true } as const;
  const folders = [
    { workspace: 'main', ...waiting },
    { workspace: 'coder', ...waiting },
  ];
  expect(shown({ folders })).toContain(
    'changes   wait in the workspace main: troupe diff r1\nchanges   wait in the workspace coder: troupe diff r1 --workspace coder',
  );
  const own = { workspace: 'coder', agent: 'impl_1', ...waiting };
  expect(shown({ folders: [own] })).toContain('wait in the workspace coder: troupe diff r1 --agent impl_1');
  const moving = shown({ folders, driven: true, result: resultAs('undelivered') });
  expect(moving).toContain('status    ok · being delivered');
  expect(moving).not.toContain('changes');
});

const handed: DeliveryFinished = {
  kind: 'delivery.finished',
  workspace: 'main',
  tree: treeId('t'),
  how: 'branch',
  where: 'troupe/r1',
  by: 'ann',
};

test('[L4] the commands for a delivery that is owed name the main workspace, whatever was handed over of another', () => {
  const failure = { code: 'APPROVAL_VOID', message: 'The files changed.', class: 'logic' } as const;
  const fact = { kind: 'delivery.failed', workspace: 'main', tree: treeId('t'), failure } as const;
  const ofCoder = { ...handed, workspace: 'coder', seq: 9 };
  const delivery = { status: 'failed', fact, seq: 8 } as const;
  const text = shown({ result: resultAs('unapproved'), delivery, handed: ofCoder });
  expect(text).toMatch(/troupe diff r1\n.*troupe deliver r1 --apply$/m);
});

test.each<readonly [Partial<DeliveryFinished>, string]>([
  [{}, 'waits on the branch troupe/r1'],
  [{ how: 'patch', where: '/h/r1.patch', workspace: 'coder' }, 'waits in the patch /h/r1.patch (workspace coder)'],
  [{ conflicts: ['a', 'b'] }, 'waits on the branch troupe/r1; 2 paths in conflict with your files: a, b'],
  [{ how: 'conflict', conflicts: ['a'] }, 'changed nothing: 1 path in conflict with your files: a'],
  [
    { how: 'not-verified', where: '/scratch', command: 'npm test', reason: 'Exit code 1.' },
    'changed nothing: it does not pass `npm test`. Exit code 1. The merged files: /scratch',
  ],
  [
    { check: { command: 'npm test', sandbox: 'bubblewrap' } },
    'waits on the branch troupe/r1; checked with `npm test` in the sandbox bubblewrap',
  ],
  [
    { how: 'not-verified', command: 'x', where: '/s', check: { command: 'x', sandbox: 'none', from: 'landlock' } },
    'changed nothing: it does not pass `x`. The merged files: /s; checked in the sandbox none instead of landlock',
  ],
])('[U1] a result that is handed over as %o is shown', (parts, text) => {
  expect(handedText({ ...handed, ...parts })).toBe(text);
  expect(shown({ handed: { ...handed, ...parts, seq: 3 } })).toContain(`result    ${text}`);
});
