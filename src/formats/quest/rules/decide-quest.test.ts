import { expect, test } from 'vitest';
import { type EndedUnit, NEW_QUEST, type QuestEvent, type QuestInput, type QuestState } from './quest-state.ts';
import { GREEN_CHECK, handed, planned, played, RED_CHECK, SAMPLE_TABLE, signal } from './testing/quest-tables.ts';
import { decideQuest } from './decide-quest.ts';
import type { QuestTable } from './quest-table.ts';

const playQuest = (
  events: readonly QuestEvent[],
  { table = SAMPLE_TABLE, ...input }: Partial<QuestInput> & { readonly table?: QuestTable } = {},
): { readonly path: readonly string[]; readonly state: QuestState } => {
  const given = { request: 'A greeter', ward: [], wardFrom: [], ...input };
  return played([{ kind: 'started' }, ...events], NEW_QUEST, (state, event: QuestEvent) =>
    decideQuest({ table, input: given, state }, event),
  );
};

const WANTED = handed([{ name: 'set_requirements', arguments: { requirements: ['It greets.'] } }]);
const PLAN = handed(planned({ id: 'one', title: 'Do one' }));
const unit = (id: string, outcome = 'ok'): EndedUnit => ({
  id,
  outcome,
  reason: null,
  output: { summary: `did ${id}` },
});
const worked = (...units: readonly EndedUnit[]): QuestEvent => ({ kind: 'worked', units, failure: null });
const SEEN: QuestEvent = { kind: 'seen', diff: '+hello' };
const DONE = handed(signal('complete', { summary: 'fine' }));

test('[Q6] a quest goes from requirements to a plan, its steps and a review', () => {
  const { path, state } = playQuest([WANTED, PLAN, worked(unit('one')), SEEN, DONE]);
  expect(path).toEqual(['asker', 'planner', 'work', 'review', 'judge', 'stop']);
  expect(state.report).toEqual({
    request: 'A greeter',
    steps: [{ id: 'one', kind: 'step', outcome: 'ok', summary: 'did one', files: [] }],
    ward: 'none',
    findings: null,
  });
  expect(state.problem).toBeNull();
});

test('[Q6] the prompt of each role ends with its order, and contains the known facts', () => {
  const first = playQuest([]).state.say;
  expect(first).toBe('# The request\n\nA greeter\n\nHand in the requirements.');
  const { say } = playQuest([WANTED], { ward: ['npm test'] }).state;
  expect(playQuest([WANTED]).state.say).toContain('Requirements:\n- It greets.');
  expect(say).toMatch(/After every step the engine runs Ward: npm test\n\nHand in the plan\.$/);
  const review = playQuest([WANTED, PLAN, worked(unit('one')), SEEN]).state.say;
  expect(review).toContain('Steps:\n- one (ok): did one');
  expect(review).toMatch(/# All changes\n\n\+hello\n\nReview it\.$/);
});

test('[Q3] a question is asked as often as the table says, then it is the failure of the table', () => {
  const asks = handed(signal('needs-user-input', { question: 'Whom?', context: 'c' }));
  const answer: QuestEvent = { kind: 'answered', answer: 'All' };
  const { path, state } = playQuest([asks, answer, asks, answer, asks]);
  expect(path).toEqual(['asker', 'ask', 'asker', 'ask', 'asker', 'gave_up']);
  expect(state.say).toBe('A person answered: All');
  expect(state.problem).toEqual({
    code: 'TOO_MANY_QUESTIONS',
    message: 'asker asked two questions and has another one: Whom?',
  });
});

test('[Q3] a role that filled its context is followed by a new session with the place to continue at', () => {
  const partial = handed(signal('partially-complete', { progress: 'half', continuationPoint: 'src/b' }));
  const { path, state } = playQuest([WANTED, partial]);
  expect(path.at(-1)).toBe('clear_planner');
  expect(state.say).toMatch(/^# The request.*Done so far: half\nGo on here: src\/b$/s);
});

test('[Q3] a planner that needs another role first goes on in its session, or plans again', () => {
  const needs = (resume: boolean) =>
    handed(signal('needs-role-followup', { targetRole: 'fixer', reason: 'it does not build', context: 'c', resume }));
  const done = worked(unit('help-1'));
  const again = playQuest([WANTED, needs(true), done]);
  expect(again.path.slice(-2)).toEqual(['work', 'planner']);
  expect(again.state.todo).toMatchObject([{ id: 'help-1', begin: 'fixer', title: 'it does not build' }]);
  expect(again.state.say).toMatch(/^fixer is done: did help-1\n/);
  expect(playQuest([WANTED, needs(false), done]).state.say).toMatch(/^# The request/);
  const lost = playQuest([WANTED, needs(true), worked(unit('help-1', 'failed'))]);
  expect(lost.state.say).toMatch(/^fixer could not do it \(failed\): /);
});

test('[Q3] the role that hands in the requirements can wait for another one too', () => {
  const asker = {
    ...SAMPLE_TABLE.quest['asker'],
    routes: { complete: { to: 'next' }, 'needs-user-input': { to: 'writer' } },
  };
  const table = { ...SAMPLE_TABLE, quest: { ...SAMPLE_TABLE.quest, asker } } as typeof SAMPLE_TABLE;
  const asks = handed(signal('needs-user-input', { question: 'Whom?', context: 'c' }));
  const { path, state } = playQuest([asks, worked(unit('help-1'))], { table });
  expect(path).toEqual(['asker', 'work', 'asker']);
  expect(state.say).toBe(
    'writer is done: did help-1\nContinue with the requirements and hand them in with `set_requirements`.',
  );
});

test('[Q3] a role that takes no part in a step is not called', () => {
  const needs = handed(signal('needs-role-followup', { targetRole: 'judge', reason: 'r', context: 'c', resume: true }));
  expect(playQuest([WANTED, needs]).state.problem).toEqual({
    code: 'FOLLOWUP_UNKNOWN',
    message: 'judge takes no part in a step (planner -> judge).',
  });
});

test('[Q3] a route can name the role instead of the signal', () => {
  const planner = {
    ...SAMPLE_TABLE.quest['planner'],
    routes: { complete: { to: 'next' }, 'needs-user-input': { to: 'writer' } },
  };
  const table = { ...SAMPLE_TABLE, quest: { ...SAMPLE_TABLE.quest, planner } } as typeof SAMPLE_TABLE;
  const asks = handed(signal('needs-user-input', { question: 'Which style?', context: 'c' }));
  const { path, state } = playQuest([WANTED, asks], { table });
  expect(path.at(-1)).toBe('work');
  expect(state.todo).toMatchObject([{ begin: 'writer', title: 'Which style?', context: 'c', resume: true }]);
});

test('[L3] a signal without a route ends the quest with a name', () => {
  const { path, state } = playQuest([handed(signal('partially-complete', { progress: 'p', continuationPoint: 'c' }))]);
  expect(path.at(-1)).toBe('gave_up');
  expect(state.problem).toEqual({
    code: 'SIGNAL_UNROUTED',
    message: 'asker sent partially-complete, and the quest has no route for it.',
  });
});

test.each([
  ['NO_REQUIREMENTS', [], DONE, 'asker'],
  ['NO_PLAN', [WANTED], DONE, 'planner'],
  ['BAD_PLAN', [WANTED], handed(planned()), 'planner'],
] as const)('[L3] %s: missing or wrong parts are sent back, then the quest fails', (code, before, wrong, who) => {
  expect(playQuest([...before, wrong]).path.at(-1)).toBe(who);
  const { path, state } = playQuest([...before, wrong, wrong]);
  expect(path.at(-1)).toBe('gave_up');
  expect(state.problem).toMatchObject({ code, hint: `See what it handed in: troupe logs last --agent ${who}` });
  expect(state.problem?.message).toMatch(/was told once and did not correct it\.$/);
});

test('[Q6] each command of Ward is tried before anybody works', () => {
  const ward = { ward: ['npm run lint', 'npm test'], wardFrom: ['package.json', ''] };
  const tried = (ended: typeof GREEN_CHECK | typeof RED_CHECK): QuestEvent => ({ kind: 'tried', ...ended });
  const red = playQuest([tried(RED_CHECK), tried(GREEN_CHECK)], ward);
  expect(red.path).toEqual(['try_ward', 'try_ward', 'asker']);
  expect(red.state.notices).toEqual([
    'Ward is red on the untouched project: `npm run lint` (from package.json) ended with exit code 1.\ntwo left',
  ]);
  expect(red.state.ward).toBe("/bin/sh -c 'npm run lint' && /bin/sh -c 'npm test'");
  const gone: QuestEvent = { ...RED_CHECK, kind: 'tried', output: { output: '', exitCode: 127 } };
  const unusable = playQuest([tried(GREEN_CHECK), gone], ward);
  expect(unusable.path.at(-1)).toBe('gave_up');
  expect(unusable.state.problem).toMatchObject({
    code: 'WARD_UNUSABLE',
    hint: expect.stringContaining('setup: npm ci'),
  });
});

test('[Q6] Ward on the whole is fixed in a step, a number of times, then the quest is partial', () => {
  const checked = (ended: typeof GREEN_CHECK | typeof RED_CHECK): QuestEvent => ({ kind: 'checked', ...ended });
  const begun: readonly QuestEvent[] = [{ kind: 'tried', ...GREEN_CHECK }, WANTED, PLAN, worked(unit('one'))];
  const ward = { ward: ['npm test'] };
  const green = playQuest([...begun, checked(RED_CHECK), worked(unit('ward-1')), checked(GREEN_CHECK)], ward);
  expect(green.path.slice(-4)).toEqual(['ward', 'work', 'ward', 'review']);
  expect(green.state).toMatchObject({
    ward_output: null,
    ward_passed: 'fine',
    todo: [{ id: 'ward-1', begin: 'fixer' }],
  });
  const red = playQuest([...begun, checked(RED_CHECK), worked(unit('ward-1')), checked(RED_CHECK)], ward);
  expect(red.path.at(-1)).toBe('partly_done');
  expect(red.state.report).toMatchObject({ ward: 'red' });
  expect(red.state.problem?.message).toBe('Not all of the quest is done: Ward fails on the whole');
});

test('[Q6] what a review finds is fixed and reviewed again, then the quest is partial with it', () => {
  const finds = handed(
    signal('needs-role-followup', { targetRole: 'fixer', reason: 'a typo', context: 'a.txt:1', resume: false }),
  );
  const reviewed: readonly QuestEvent[] = [WANTED, PLAN, worked(unit('one')), SEEN];
  const fixed = playQuest([...reviewed, finds, worked(unit('repair-1')), SEEN, DONE]);
  expect(fixed.path.slice(-4)).toEqual(['work', 'review', 'judge', 'stop']);
  expect(fixed.state.report).toMatchObject({
    findings: null,
    steps: [{ kind: 'step' }, { id: 'repair-1', kind: 'repair' }],
  });
  const open = playQuest([...reviewed, finds, worked(unit('repair-1')), SEEN, finds]);
  expect(open.path.at(-1)).toBe('partly_done');
  expect(open.state.problem).toMatchObject({
    code: 'QUEST_PARTIAL',
    message: expect.stringContaining('review: a typo\n'),
  });
});

test('[L5] steps that are lost, and a review that does not come about, are said', () => {
  const nothing = playQuest([
    WANTED,
    PLAN,
    { kind: 'worked', units: [unit('one', 'crashed')], failure: { code: 'JOIN_FAILED', message: 'None is ok.' } },
  ]);
  expect(nothing.path.at(-1)).toBe('gave_up');
  expect(nothing.state.problem).toEqual({
    code: 'NOTHING_DONE',
    message: 'No step of the quest came out ok. None is ok.',
  });
  const two = handed(planned({ id: 'one', title: 'a' }, { id: 'two', title: 'b' }));
  const { state } = playQuest([
    WANTED,
    two,
    worked(unit('one'), { ...unit('two', 'failed'), reason: 'WARD_RED' }),
    { kind: 'unseen', message: '' },
  ]);
  expect(state.problem?.message).toBe(
    'Not all of the quest is done: step two is failed: WARD_RED; review: The whole could not be reviewed: no reason was recorded',
  );
});
