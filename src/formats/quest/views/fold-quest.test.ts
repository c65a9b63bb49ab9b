import { expect, test } from 'vitest';
import type { Fact } from '../../../core/record/fact.ts';
import { foldRecords } from '../../../core/fold/fold.ts';
import { runId, type RunId } from '../../../core/model/ids.ts';
import { rewoundState } from '../../../core/history/rewind.ts';
import type { StoredRecord } from '../../../core/record/stored-record.ts';
import { NO_USAGE } from '../../../core/model/usage.ts';
import { foldQuest, questView } from './fold-quest.ts';
import { isQuest, QuestPage } from './quest-page.ts';
import type { QuestView } from './quest-view.ts';

const ROOT = runId('q');
const KEPT = { requirements: ['It greets.'], contexts: [], observables: [], steps: [], todo: [], done: [] };
const DATA = { ward: [], progress: KEPT };

const started = (run: string, more: object): object => ({
  kind: 'run.started',
  run,
  parent: run === ROOT ? null : ROOT,
  workflow: run === ROOT ? 'quest' : 'quest_step',
  input: {},
  data: {},
  contexts: [{ name: 'weaving', messages: [], maxLength: 1000 }],
  limits: {},
  project: '/p',
  ...more,
});

const task = (id: string, work: object, more: object = {}): object => ({
  kind: 'task.started',
  task: id,
  state: 'work',
  pool: null,
  unit: null,
  deadline: null,
  work,
  ...more,
});

const turn = (id: string): object => task(id, { kind: 'turn', agent: 'codeweaver', context: 'weaving', input: null });

const ended = (id: string, more: object = {}): object => ({
  kind: 'task.ended',
  task: id,
  outcome: 'ok',
  output: null,
  failure: null,
  ...more,
});

const step = (id: string, more: object = {}): object => ({
  id,
  after: [],
  item: { id, title: `Do ${id}`, files: [`${id}.txt`], acceptance: [] },
  ...more,
});

/** A pool of three: `a`, `b` after it, and `c`. */
const POOL: readonly object[] = [
  started(ROOT, { input: { request: 'A house\nand a door' }, data: DATA }),
  task('t1', { kind: 'pool' }),
  { kind: 'units.added', task: 't1', by: null, units: [step('a'), step('b', { after: ['a'] }), step('c')] },
  task('t2', { kind: 'call', workflow: 'quest_step', input: {} }, { pool: 't1', unit: 'a' }),
  task('t3', { kind: 'call', workflow: 'quest_step', input: {} }, { pool: 't1', unit: 'c' }),
];

const records = (facts: readonly object[], from = 0): readonly StoredRecord[] =>
  facts.map((fact, index) => ({ seq: index + 1, at: from + index, fact: fact as Fact, commit: from + index + 1 }));

function quest(root: readonly object[], children: Readonly<Record<string, readonly object[]>> = {}): QuestView {
  const journals = new Map<RunId, readonly StoredRecord[]>([[ROOT, records(root)]]);
  for (const [run, facts] of Object.entries(children)) journals.set(runId(run), records(facts, 100));
  const view = foldQuest(ROOT, journals);
  if (view === null) throw new Error('no quest');
  return view;
}

const statuses = ({ steps }: QuestView): readonly string[] => steps.map(({ id, status }) => `${id} ${status}`);

test('[Q1] a step waits, runs in a slot, rests without one, is skipped or fails, and is merged only when it was', () => {
  expect(quest(POOL)).toMatchObject({ title: 'A house', status: 'running', requirements: ['It greets.'] });
  expect(statuses(quest(POOL))).toEqual(['a running', 'b waiting', 'c running']);
  expect(quest(POOL).slots.map(({ slot, step: id }) => [slot, id])).toEqual([
    [1, 'a'],
    [2, 'c'],
  ]);
  const resting = [...POOL, { kind: 'unit.moved', task: 't1', unit: 'a', to: 'resting' }];
  expect(statuses(quest(resting))[0]).toBe('a resting');
  expect(quest(resting).slots.map(({ slot, step: id }) => [slot, id])).toEqual([[2, 'c']]);

  const failure = { code: 'WARD_RED', message: 'still red', class: 'logic' };
  const over = [
    ...POOL,
    ended('t2', { outcome: 'failed', failure }),
    { kind: 'unit.ended', task: 't1', unit: 'b', outcome: 'skipped', reason: 'a failed' },
    ended('t3', { output: { summary: 'c is there' } }),
    ended('t1', { outcome: 'partial' }),
  ];
  const merge = [started('q/t3', {}), task('t1', { kind: 'merge', agent: null }), ended('t1')];
  expect(statuses(quest(over))).toEqual(['a failed', 'b skipped', 'c done']);
  const view = quest(over, { 'q/t3': merge });
  expect(statuses(view)).toEqual(['a failed', 'b skipped', 'c merged']);
  expect(view.steps[2]).toMatchObject({ summary: 'c is there', merge: { outcome: 'ok', tries: 1 }, run: 'q/t3' });
  expect(view.steps[1]).toMatchObject({ reason: 'a failed', attempts: 0, run: null });
  expect(view.slots).toEqual([]);
});

test('[Q7] a plan is in the file before its first step begins', () => {
  const planned = {
    kind: 'data.set',
    patch: { inside: { progress: { set: { steps: [{ id: 'x', title: 'X', after: ['y'] }] } } } },
  };
  const view = quest([started(ROOT, { data: DATA }), planned]);
  expect(view.steps).toMatchObject([{ id: 'x', title: 'X', after: ['y'], status: 'waiting', attempts: 0 }]);
});

test('[Q4] sessions of clients have their own ids; those of models are counted by how often they were cleared', () => {
  const noted = { kind: 'session.noted', agent: 'codeweaver', actor: 'claude-code', how: 'new' };
  const view = quest(POOL, {
    'q/t2': [
      started('q/t2', {}),
      turn('t1'),
      { ...noted, task: 't1', session: 's-1' },
      ended('t1'),
      turn('t2'),
      { ...noted, task: 't2', session: 's-1', how: 'resumed' },
    ],
    'q/t3': [started('q/t3', {}), turn('t1'), ended('t1'), { kind: 'context.cleared', context: 'weaving' }, turn('t2')],
  });
  const [a, , c] = view.steps;
  expect(a?.sessions).toMatchObject([{ role: 'codeweaver', actor: 'claude-code', session: 's-1', turns: 2 }]);
  expect(c?.sessions.map(({ actor, session }) => `${actor} ${session}`)).toEqual([
    'model weaving#1',
    'model weaving#2',
  ]);
  expect(view.slots).toMatchObject([
    { slot: 1, step: 'a', role: 'codeweaver', session: 's-1' },
    { slot: 2, step: 'c', role: 'codeweaver', session: 'weaving#2' },
  ]);
});

test('[Q4] a session that was lost within a turn is in the file, with the one begun in its place', () => {
  const noted = { kind: 'session.noted', agent: 'codeweaver', actor: 'claude-code', task: 't1' };
  const view = quest(POOL, {
    'q/t2': [
      started('q/t2', {}),
      turn('t1'),
      { ...noted, session: 's-1', how: 'resumed' },
      { ...noted, session: 's-2', how: 'new' },
    ],
  });
  expect(view.steps[0]?.sessions.map(({ session, turns }) => [session, turns])).toEqual([
    ['s-1', 1],
    ['s-2', 1],
  ]);
  expect(view.slots[0]).toMatchObject({ step: 'a', session: 's-2' });
});

test('[L2] [Q7] what a client was refused at the desk is in the file, with why', () => {
  const refused = { kind: 'notice', status: 'denied', text: 'Not accepted. a.txt is missing' };
  const complete = { signal: 'complete', stepId: 'a', summary: 'there' };
  const view = quest(POOL, {
    'q/t2': [
      started('q/t2', {}),
      turn('t1'),
      {
        kind: 'activity.noted',
        task: 't1',
        items: [
          { id: 'x', kind: 'tool', name: 'Write', status: 'denied', text: '/etc/hosts' },
          { ...refused, id: 'refused-1.1.1', name: 'signal_back', handed: complete },
          { ...refused, id: 'refused-1.1.2', name: 'plan_steps', handed: {} },
        ],
      },
    ],
  });
  expect(view.steps[0]?.signals).toMatchObject([
    { role: 'codeweaver', signal: 'complete', status: 'refused', why: refused.text, says: { summary: 'there' } },
  ]);
  expect(view.history.map(({ text }) => text)).toContain(
    `codeweaver: complete is not taken: ${refused.text}; codeweaver: plan_steps is not taken: ${refused.text}`,
  );
});

test('[Q2] a refused signal has its reason, and an accepted one the evidence of the engine', () => {
  const says = (call: number, id: string, more: object = {}): object => ({
    kind: 'call.answered',
    task: 't1',
    call,
    attempt: 1,
    message: {
      role: 'assistant',
      author: 'codeweaver',
      content: '',
      toolCalls: [{ id, name: 'signal_back', arguments: { signal: 'complete', stepId: 'a', summary: 'there' } }],
    },
    usage: { ...NO_USAGE, calls: 1, inputTokens: 5 },
    costUsd: 0.5,
    model: 'm',
    ms: 1,
    ...more,
  });
  const finished = { kind: 'tool.finished', task: 't1', isError: false, ms: 0 };
  const seen = { kind: 'file', path: 'a.txt', isThere: true };
  const view = quest(POOL, {
    'q/t2': [
      started('q/t2', {}),
      turn('t1'),
      says(1, 'one', { refused: { one: 'a.txt is missing' } }),
      { ...finished, toolCall: 'one', content: 'Not accepted. a.txt is missing', refused: 'EVIDENCE_MISSING' },
      { kind: 'call.started', task: 't1', call: 2 },
      says(2, 'two', { evidence: [seen] }),
      { ...finished, toolCall: 'two', content: 'Received.', accepted: true },
    ],
  });
  expect(view.steps[0]?.signals).toMatchObject([
    { role: 'codeweaver', signal: 'complete', status: 'refused', why: 'Not accepted. a.txt is missing' },
    { role: 'codeweaver', signal: 'complete', status: 'taken', says: { summary: 'there' } },
  ]);
  expect(view.steps[0]?.evidence).toMatchObject([{ role: 'codeweaver', seen }]);
  expect(view).toMatchObject({ usage: { calls: 2, inputTokens: 10 }, costUsd: 1 });
  expect(view.steps[0]).toMatchObject({ usage: { calls: 2 }, costUsd: 1 });
});

test('a quest that is put back has the steps of then, and its history has everything', () => {
  const over = [...POOL, ended('t2'), ended('t3'), ended('t1', { outcome: 'partial' })];
  const rewound = (to: number): object => {
    const then = foldRecords(records(over.slice(0, to)));
    return { kind: 'run.rewound', to, by: 'ann', state: rewoundState(then, 50) };
  };
  expect(statuses(quest([...over, rewound(1)]))).toEqual([]);
  expect(statuses(quest([...over, rewound(POOL.length)]))).toEqual(['a running', 'b waiting', 'c running']);
  const undone = [...over, rewound(1), rewound(over.length)];
  expect(statuses(quest(undone))).toEqual(statuses(quest(over)));
  expect(quest(undone).history.map(({ text }) => text)).toContain('is put back to record 1 by ann');
});

test('what is read first does not matter', () => {
  const child = records([started('q/t2', {}), turn('t1')], 3);
  const [one, other] = [
    new Map([
      [ROOT, records(POOL)],
      [runId('q/t2'), child],
    ]),
    new Map([
      [runId('q/t2'), child],
      [ROOT, records(POOL)],
    ]),
  ];
  expect(JSON.stringify(foldQuest(ROOT, one))).toBe(JSON.stringify(foldQuest(ROOT, other)));
  expect(foldQuest(runId('nobody'), one)).toBeNull();
});

test('a run is a quest by what its workflow keeps, not by its name', () => {
  expect(isQuest(records([started(ROOT, { workflow: 'mine', data: DATA })]))).toBe(true);
  expect(isQuest(records([started(ROOT, { workflow: 'quest', data: {} })]))).toBe(false);
  expect(isQuest([])).toBe(false);
});

test('a view is a value: what happens later does not change it', () => {
  const later = [turn('t1'), ended('t1'), task('t2', { kind: 'command', command: 'true' }), ended('t2')];
  const written = records([started(ROOT, { data: DATA }), ...later]);
  const [first, ...rest] = written.map((record) => ({ run: ROOT, record }));
  if (first === undefined) throw new Error('There is no record.');
  const page = new QuestPage();
  page.take(first);
  const pages = new Map([[String(ROOT), page]]);
  const view = questView(ROOT, pages);
  const text = JSON.stringify(view);
  for (const placed of rest) page.take(placed);
  expect(JSON.stringify(view)).toBe(text);
  expect(view?.checks).toEqual([]);
  expect(questView(ROOT, pages)?.checks).toMatchObject([{ command: 'true' }]);
});
