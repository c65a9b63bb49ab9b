import { expect, test } from 'vitest';
import { NEW_STEP, type StepEvent, type StepState, type StepTask } from './step-state.ts';
import {
  GREEN_CHECK,
  handed,
  planned,
  played,
  RED_CHECK,
  SAMPLE_STEP,
  SAMPLE_TABLE,
  signal,
} from './testing/quest-tables.ts';
import { decideStep } from './decide-step.ts';
import type { QuestTable } from './quest-table.ts';

const playStep = (
  events: readonly StepEvent[],
  { table = SAMPLE_TABLE, ...input }: Partial<StepTask> & { readonly table?: QuestTable } = {},
): { readonly path: readonly string[]; readonly state: StepState } =>
  played([{ kind: 'started' }, ...events], NEW_STEP, (state, event: StepEvent) =>
    decideStep({ table, input: { ...SAMPLE_STEP, ...input }, state }, event),
  );

const DONE = handed(signal('complete', { summary: 'did it' }));
const SEEN: StepEvent = { kind: 'seen', diff: '+hello' };
const MERGED: StepEvent = { kind: 'merged', outcome: 'ok', output: { files: ['one.txt'] }, failure: null };
const checked = (ended: typeof GREEN_CHECK | typeof RED_CHECK): StepEvent => ({ kind: 'checked', ...ended });
const needs = (targetRole: string, resume = true) =>
  handed(signal('needs-role-followup', { targetRole, reason: 'why', context: 'what', resume }));

test('[Q6] a step is made, checked by Ward, tested and merged', () => {
  const { path, state } = playStep([DONE, checked(GREEN_CHECK), SEEN, DONE, MERGED], { ward: ['npm test'] });
  expect(path).toEqual(['maker', 'ward', 'look', 'tester', 'home', 'stop']);
  expect(state).toMatchObject({ summary: 'did it', files: ['one.txt'], parts: [] });
});

test('[Q6] without Ward it goes on to the test, without a tester to the merge', () => {
  expect(playStep([DONE, SEEN, DONE]).path).toEqual(['maker', 'look', 'tester', 'home']);
  const { tester: _tester, ...step } = SAMPLE_TABLE.step;
  expect(playStep([DONE], { table: { ...SAMPLE_TABLE, step } }).path).toEqual(['maker', 'home']);
});

test('[A7] the tester gets the step, what its author says, Ward and the changes', () => {
  const { say } = playStep([DONE, checked(GREEN_CHECK), SEEN], { ward: ['npm test'] }).state;
  expect(say).toMatch(/^The step to test is "one": Do one\n/);
  expect(say).toContain('Maker says: did it\n\nThe engine ran npm test on these files: all passed.');
  expect(say).toMatch(/Test it\.\n\n# All changes of this step so far\n\n\+hello$/);
});

test('[Q6] a red Ward is fixed and run again, then WARD_RED', () => {
  const ward = { ward: ['npm test'] };
  const fixed = playStep([DONE, checked(RED_CHECK), SEEN, DONE, checked(GREEN_CHECK)], ward);
  expect(fixed.path).toEqual(['maker', 'ward', 'look', 'fixer', 'ward', 'look']);
  const first = playStep([DONE, checked(RED_CHECK), SEEN], ward).state;
  expect(first.say).toContain(
    'The output ended with:\n\ntwo left\n\nIt ended with exit code 1.\n\nFix it.\n\n# The step',
  );
  const { path, state } = playStep([DONE, checked(RED_CHECK), SEEN, DONE, checked(RED_CHECK)], ward);
  expect(path.at(-1)).toBe('gave_up');
  expect(state.problem).toMatchObject({
    code: 'WARD_RED',
    message: expect.stringMatching(/^Step one: Ward still fails after one fix\. two left/),
  });
});

test('[L4] the implementer and the last word owe the evidence, a role that was called in does not', () => {
  const owed = { files: ['one.txt'], commands: ['cat one.txt'] };
  expect(playStep([]).state.owed).toEqual(owed);
  expect(playStep([needs('fixer')]).state.owed).toEqual({ files: [], commands: [] });
  expect(playStep([needs('fixer', false)]).state.owed).toEqual(owed);
  expect(playStep([DONE, SEEN]).state.owed).toEqual(owed);
  expect(playStep([needs('planner', false)]).state.owed).toEqual({ files: [], commands: [] });
});

test('[Q3] a role that is called in answers to its caller, who goes on in its session', () => {
  const { path, state } = playStep([needs('fixer'), DONE]);
  expect(path).toEqual(['maker', 'fixer', 'maker']);
  expect(state.say).toBe('fixer is done: did it\nContinue with the step "one".');
  expect(playStep([needs('fixer')]).state.say).toMatch(/^You are called in for the step "one" \(Do one\) by maker\./);
  expect(playStep([needs('fixer', false), DONE]).path).toEqual(['maker', 'fixer', 'look']);
  expect(playStep([needs('writer')]).state.say).toMatch(/Write it down\.$/);
});

test('[A7] a tester that waited sees the changes as they are now', () => {
  const { path, state } = playStep([DONE, SEEN, needs('maker'), DONE, SEEN]);
  expect(path.slice(-3)).toEqual(['maker', 'look', 'tester']);
  expect(state.say).toMatch(/^maker is done: did it\n.*\+hello$/s);
});

test.each([
  ['FOLLOWUP_UNKNOWN', [needs('judge')], 'judge takes no part in a step (maker -> judge).'],
  ['FOLLOWUP_CYCLE', [needs('fixer'), needs('maker')], 'they wait for each other: maker -> fixer -> maker.'],
  [
    'FOLLOWUP_DEPTH',
    [needs('fixer', false), needs('tester', false), needs('maker', false)],
    'more than two followups of followups: maker -> fixer -> tester -> maker.',
  ],
  [
    'TOO_MANY_FOLLOWUPS',
    [needs('fixer'), DONE, needs('fixer'), DONE, needs('fixer')],
    'maker asked for others two times and is not done: maker -> fixer.',
  ],
] as const)('[Q3] %s ends the step with the chain', (code, events, message) => {
  const { path, state } = playStep(events);
  expect(path.at(-1)).toBe('gave_up');
  expect(state.problem).toEqual({ code, message: `Step one: ${message}` });
});

test('[Q3] questions and new sessions have their tries', () => {
  const asks = handed(signal('needs-user-input', { question: 'Which colour?', context: 'c' }));
  const asked = playStep([asks]);
  expect(asked.path.at(-1)).toBe('ask');
  expect(asked.state.question).toBe('Step one, maker asks: Which colour?\n\nc');
  const answer: StepEvent = { kind: 'answered', answer: 'green' };
  expect(playStep([asks, answer]).state.say).toBe('A person answered: green');
  expect(playStep([asks, answer, asks, answer, asks]).state.problem?.code).toBe('TOO_MANY_QUESTIONS');
  const partial = handed(signal('partially-complete', { progress: 'half', continuationPoint: 'line 2' }));
  const again = playStep([partial, SEEN]);
  expect(again.path).toEqual(['maker', 'clear_maker', 'maker']);
  expect(again.state.say).toMatch(/^Your step is "one".*Go on here: line 2\n\n# All changes.*\+hello$/s);
  expect(playStep([partial, SEEN, partial, SEEN, partial]).state.problem?.code).toBe('NEVER_DONE');
});

test('[Q1] a split step leaves its parts to others; their checks go to the last of them', () => {
  const split = handed(planned({ id: 'p', title: 'P', files: ['one.txt'] }, { id: 'q', title: 'Q', after: ['p'] }));
  const { path, state } = playStep([needs('planner'), split, DONE, SEEN, DONE, MERGED]);
  expect(path).toEqual(['maker', 'planner', 'maker', 'look', 'tester', 'home', 'stop']);
  expect(state.expects).toEqual({ files: [], commands: [] });
  expect(state.parts).toMatchObject([
    { id: 'one.p', part_of: 'one', after: [], checks: [] },
    { id: 'one.q', part_of: 'one', after: ['one.p'], checks: ['cat one.txt'] },
  ]);
  expect(playStep([needs('planner'), split]).state.say).toContain('leave them: p (P), q (Q)');
});

test('[L3] an impossible split is sent back, then BAD_PLAN', () => {
  const bad = handed(planned({ id: 'p', title: 'P', after: ['x'] }));
  const played = playStep([needs('planner'), bad]);
  expect(played.path.at(-1)).toBe('planner');
  expect(played.state.say).toContain('"p" comes after "x", which is none of the parts.');
  expect(playStep([needs('planner'), bad, bad]).state.problem?.code).toBe('BAD_PLAN');
});

test('[Q9] a conflict goes back to its author, a red merge to the fixer, both a number of times', () => {
  const blocked: StepEvent = {
    kind: 'merged',
    outcome: 'blocked',
    output: { advice: '<<<<<<<' },
    failure: { code: 'MERGE_CONFLICT', message: 'Both changed readme.txt.' },
  };
  const settled = playStep([DONE, SEEN, DONE, blocked, DONE, blocked]);
  expect(settled.path.slice(3)).toEqual(['home', 'maker', 'home', 'gave_up']);
  expect(settled.state.problem).toEqual({
    code: 'MERGE_NOT_SETTLED',
    message: 'Step one: its conflicts with other steps were not settled in one try. Both changed readme.txt.',
  });
  expect(playStep([DONE, SEEN, DONE, blocked]).state.say).toMatch(
    /^<<<<<<<\nThe other side is the work of other steps/,
  );
  const red: StepEvent = { ...blocked, outcome: 'failed', failure: { code: 'MERGE_NOT_VERIFIED', message: 'Red.' } };
  expect(playStep([DONE, SEEN, DONE, red, SEEN, DONE]).path.slice(-3)).toEqual(['look', 'fixer', 'home']);
  const unfixed: StepEvent = { ...blocked, failure: { code: 'MERGE_NOT_FIXED', message: 'No file was changed.' } };
  expect(playStep([DONE, SEEN, DONE, unfixed]).state.problem).toEqual({
    code: 'MERGE_NOT_FIXED',
    message: 'Step one: No file was changed.',
  });
});

test('[Q6] a step made for a role that fixes begins with it, and is not tested again', () => {
  const step = { ...SAMPLE_STEP.step, begin: 'fixer', files: [], checks: [] };
  expect(playStep([DONE, MERGED], { step }).path).toEqual(['fixer', 'home', 'stop']);
});
