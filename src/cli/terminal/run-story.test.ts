import { expect, test } from 'vitest';
import type { Fact } from '../../core/record/fact.ts';
import { bodyHash, runId, taskId, treeId } from '../../core/model/ids.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import { DEFAULT_LIMITS } from '../../core/model/workflow.ts';
import { createRunStory } from './run-story.ts';

const turn = (agent: string): Fact => ({
  kind: 'task.started',
  task: taskId('t1'),
  state: 'start',
  pool: null,
  unit: null,
  work: { kind: 'turn', agent, context: 'room', input: null },
  deadline: null,
});

const calls = (agent: string, name: string, given: Readonly<Record<string, string>>): Fact => ({
  kind: 'call.answered',
  task: taskId('t1'),
  call: 1,
  attempt: 1,
  message: { role: 'assistant', author: agent, content: '', toolCalls: [{ id: 'c1', name, arguments: given }] },
  usage: NO_USAGE,
  costUsd: 0,
  model: 'm',
  ms: 1,
});

const started = (run: string): Fact => ({
  kind: 'run.started',
  format: 1,
  engine: 'test',
  run: runId(run),
  parent: runId('r'),
  workflow: 'sub_agent_helper',
  definition: bodyHash('h'),
  input: { prompt: 'Do one' },
  data: {},
  contexts: [],
  limits: DEFAULT_LIMITS,
  project: '.',
});

const BELOW = 'r/t1-1.0';
const HISTORY: readonly (readonly [string, Fact])[] = [
  ['r', turn('lead')],
  ['r', calls('lead', 'task', { prompt: 'Do one', role: 'helper' })],
  [BELOW, started(BELOW)],
  [BELOW, { kind: 'state.entered', state: 'start', visit: 1, from: null, patch: null }],
  [BELOW, turn('helper')],
  [BELOW, calls('helper', 'write_file', { path: 'a.txt' })],
  [BELOW, { kind: 'permission.asked', task: taskId('t1'), toolCall: 'c1' }],
  [
    BELOW,
    {
      kind: 'question.asked',
      question: 'permit/t1/c1',
      files: { main: treeId('b') },
      refused: { answer: 'yes', by: 'ann' },
    },
  ],
  [BELOW, { kind: 'question.answered', question: 'permit/t1/c1', answer: 'yes', by: 'ann' }],
];

test('[Q8] a sub-agent is shown with its parent, and its questions with the name that answers them', () => {
  const story = createRunStory({ root: 'r' });
  const lines = HISTORY.flatMap(([run, fact], index) => story.lines(run, { seq: index + 1, at: index, fact }));
  expect(lines.map(({ who, text }) => `[${who}] ${text}`)).toEqual([
    '[lead › helper#1] starts: Do one',
    '[question t1-1.0/q1] lead › helper#1: helper wants to use write_file with {"path":"a.txt"}. Allow it?',
    '[ann] answered t1-1.0/q1: yes. The files changed since this was asked. The answer was not taken.',
    '[ann] answered t1-1.0/q1: yes',
  ]);
  expect(story.active().map(({ who, doing }) => `${who}: ${doing}`)).toEqual([
    'lead: using task',
    'lead › helper#1: using write_file',
  ]);
});

test('[U1] what was only recalled gives its names to what comes', () => {
  const story = createRunStory({ root: 'r' });
  for (const [index, [run, fact]] of HISTORY.slice(0, 7).entries()) story.recall(run, { seq: index + 1, at: 1, fact });
  const answered: Fact = { kind: 'question.answered', question: 'permit/t1/c1', answer: 'no', by: 'ann' };
  expect(story.lines(BELOW, { seq: 9, at: 9, fact: answered })).toMatchObject([{ text: 'answered t1-1.0/q1: no' }]);
});

test('[U1] the reason why a called run failed is shown once, by the run itself', () => {
  const failure = { code: 'OUTPUT_MISSING', message: 'Phase "plan" did not deliver.', class: 'logic' } as const;
  const call: Fact = {
    kind: 'task.started',
    task: taskId('t2'),
    state: 'phases',
    pool: null,
    unit: 'plan',
    work: { kind: 'call', workflow: 'miss/plan', input: {} },
    deadline: null,
  };
  const ended: Fact = { kind: 'task.ended', task: taskId('t2'), outcome: 'failed', output: null, failure };
  const settled: Fact = { kind: 'run.settled', outcome: 'failed', output: null, failure };
  const tell = (facts: readonly (readonly [string, Fact])[]): readonly string[] => {
    const story = createRunStory({ root: 'r' });
    return facts
      .flatMap(([run, fact], index) => story.lines(run, { seq: index + 1, at: index, fact }))
      .map(({ text }) => text)
      .filter((text) => text.includes('did not deliver'));
  };
  expect(
    tell([
      ['r', call],
      ['r/t2', settled],
      ['r', ended],
    ]),
  ).toEqual(['settled: failed, OUTPUT_MISSING: Phase "plan" did not deliver.']);
  // One that never began has said nothing.
  expect(
    tell([
      ['r', call],
      ['r', ended],
    ]),
  ).toHaveLength(1);
});

test('[PD3] a note of an engine program, such as a refused review, is shown in place of its outcome', () => {
  const story = createRunStory({ root: 'r' });
  const note = 'rev_1, first review: refused. The ranking leaves out impl_2.';
  const take = { ...turn('rev_1'), work: { kind: 'compute', name: 'review.take', input: {} } } as unknown as Fact;
  const ended: Fact = { kind: 'task.ended', task: taskId('t1'), outcome: 'ok', output: { note }, failure: null };
  const lines = [take, ended].flatMap((fact, index) => story.lines('r', { seq: index + 1, at: index, fact }));
  expect(lines.at(-1)).toMatchObject({ text: note, style: 'yellow' });
});

test('[R4] the clock and the cost are those of the history: a fork starts at zero, and pauses do not count', () => {
  const story = createRunStory({ root: 'r', isVerbose: true });
  const paid = { ...calls('lead', 'task', {}), costUsd: 2 } as Fact;
  const before = [{ ...started('r'), parent: null } as Fact, turn('lead'), paid];
  for (const [index, fact] of before.entries()) story.recall('r', { seq: index + 1, at: index * 60_000, fact });
  const at = 120_000;
  const forkedFrom: Fact = { kind: 'run.forked', from: { run: runId('q'), seq: 3 }, input: {}, by: 'ann' };
  story.recall('r', { seq: 4, at, fact: forkedFrom });
  expect(story.progress(at + 7000)).toBe('0 turns · 0:07');
  const resumed: Fact = { kind: 'run.resumed', epoch: 2, downMs: 5000 };
  story.recall('r', { seq: 5, at: at + 6000, fact: resumed });
  story.recall(BELOW, { seq: 2, at: at + 6000, fact: resumed });
  expect(story.progress(at + 7000)).toBe('0 turns · 0:02');
  story.recall('r', { seq: 6, at: at + 8000, fact: { kind: 'run.paused', by: 'ann', reason: 'lunch' } });
  expect(story.progress(at + 90_000)).toBe('0 turns · 0:03');
});

test('[U8] a run of a shared journal says which worker drives it', () => {
  const story = createRunStory({ root: 'r' });
  const taken: Fact = { kind: 'run.resumed', epoch: 2, worker: 'mill/4711' };
  expect(story.lines('r', { seq: 2, at: 0, fact: taken })).toMatchObject([{ text: 'driven by mill/4711' }]);
});

test('[U1] a question keeps its lines, so that a list in it can be read', () => {
  const story = createRunStory({ root: 'r' });
  const question = 'Which one?\n- impl_1: short\n- impl_2: fast';
  const asks: Fact = { ...turn('lead'), work: { kind: 'ask', question, choices: [] } } as Fact;
  const [line] = story.lines('r', { seq: 1, at: 0, fact: asks });
  expect(line?.text.split('\n').map((one) => one.trim())).toEqual(question.split('\n'));
  expect(story.hasShown(question)).toBe(true);
});

test('[U1] a turn that a run below takes reads like one of the run: its agent, what it does, its end once', () => {
  const failure = { code: 'REQUEST_REFUSED', message: 'It does not want to.', class: 'bad-request' } as const;
  const ordered = { kind: 'turn', agent: 'coder', context: 'coder', input: 'go', apart: true } as const;
  const { apart: _here, ...turn } = ordered;
  const about = { task: taskId('t1'), state: 'code', pool: null, unit: null, deadline: null } as const;
  const ended = { kind: 'task.ended', task: taskId('t1'), output: null } as const;
  const story = createRunStory({ root: 'r' });
  const tell = (run: string, fact: Fact): readonly string[] =>
    story.lines(run, { seq: 1, at: 1, fact }).map(({ who, text }) => `${who}: ${text}`);
  expect(tell('r', { kind: 'task.started', ...about, work: ordered })).toEqual([]);
  expect(tell('r/t1', { kind: 'task.started', ...about, work: turn })).toEqual([]);
  expect(story.active().map(({ who }) => who)).toEqual(['coder']);
  const shown = ['coder: failed, REQUEST_REFUSED: It does not want to.'];
  expect(tell('r/t1', { ...ended, outcome: 'failed', failure })).toEqual(shown);
  expect(tell('r/t1', { kind: 'run.settled', outcome: 'failed', output: null, failure })).toEqual([]);
  expect(tell('r', { ...ended, outcome: 'failed', failure })).toEqual([]);
  expect(story.active()).toEqual([]);
});
