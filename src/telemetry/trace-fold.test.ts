import { expect, test } from 'vitest';
import type { Fact, JournalRecord } from '../core/record/fact.ts';
import type { Span } from './span.ts';
import { TraceFold } from './run-spans.ts';

const TRACE = { traceId: 'f'.repeat(32), parentSpanId: null, hasContent: false };
const USAGE = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 0, calls: 1 };

/** Records of one run, a second apart. */
function records(facts: readonly object[], from = 1): readonly JournalRecord[] {
  return facts.map((fact, index) => ({ seq: from + index, at: 1000 * (from + index), fact: fact as Fact }));
}

const started = (workflow: string): object => ({ kind: 'run.started', workflow });
const entered = (state: string, from: string | null = null): object => ({
  kind: 'state.entered',
  state,
  visit: 1,
  from: from === null ? null : { state: from, outcome: 'ok', transition: 0 },
});
const turn = (task: string): object => ({
  kind: 'task.started',
  task,
  state: 'work',
  pool: null,
  unit: null,
  work: { kind: 'turn', agent: 'coder', context: 'talk', input: 'Do it' },
});
const answered = (task: string, toolCalls: readonly object[] = [], model = 'claude-x'): object => ({
  kind: 'call.answered',
  task,
  call: 1,
  attempt: 1,
  message: { author: 'coder', role: 'assistant', content: 'Words', toolCalls },
  usage: USAGE,
  costUsd: 0.5,
  model,
  ms: 500,
});
const ended = (task: string, outcome = 'ok', failure: object | null = null): object => ({
  kind: 'task.ended',
  task,
  outcome,
  output: null,
  failure,
});
const settled = (outcome = 'ok', failure: object | null = null): object => ({
  kind: 'run.settled',
  outcome,
  output: null,
  failure,
});

function spansOf(runs: Readonly<Record<string, readonly JournalRecord[]>>, trace = TRACE): readonly Span[] {
  const fold = new TraceFold(trace);
  const all = Object.entries(runs).flatMap(([run, own]) => own.map((record) => ({ run, record })));
  return all.toSorted((a, b) => a.record.at - b.record.at).flatMap(({ run, record }) => fold.take(run, record));
}

/** `name < name of the parent`. */
function tree(spans: readonly Span[]): readonly string[] {
  const nameOf = (id: string | null): string => spans.find(({ spanId }) => spanId === id)?.name ?? 'nothing';
  return spans.map(({ name, parentSpanId }) => `${name} < ${nameOf(parentSpanId)}`);
}

test('[U9] a called workflow hangs from the state that called it, a sub-agent from the tool call', () => {
  const call = {
    kind: 'task.started',
    task: 't1',
    state: 'plan',
    pool: null,
    unit: null,
    work: { kind: 'call', workflow: 'kid', input: {} },
  };
  const spans = spansOf({
    r: records([
      started('main'),
      entered('plan'),
      call,
      ended('t1'),
      entered('work', 'plan'),
      turn('t2'),
      answered('t2', [{ id: 'c1', name: 'task', arguments: {} }]),
      { kind: 'context.cleared', context: 'x' },
      { kind: 'tool.finished', task: 't2', toolCall: 'c1', content: 'done', isError: false, ms: 10 },
      ended('t2'),
      settled(),
    ]),
    'r/t1': records([started('kid'), settled()], 3),
    'r/t2-1.0': records([started('sub_agent_coder'), settled()], 7),
  });
  expect(tree(spans).toSorted()).toEqual([
    'chat claude-x < invoke_agent coder',
    'execute_tool task < invoke_agent coder',
    'invoke_agent coder < state work',
    'invoke_workflow kid < state plan',
    'invoke_workflow main < nothing',
    'invoke_workflow sub_agent_coder < execute_tool task',
    'state plan < invoke_workflow main',
    'state work < invoke_workflow main',
  ]);
});

test('[U8] [U9] a turn that a run below takes has one span of its agent, with what it did', () => {
  const work = { kind: 'turn', agent: 'coder', context: 'talk', input: 'Do it' };
  const spans = spansOf({
    r: [
      ...records([started('main'), entered('work'), { ...turn('t1'), work: { ...work, apart: true } }]),
      ...records([ended('t1'), settled()], 10),
    ],
    'r/t1': records(
      [
        { ...started('main'), apart: { state: 'work', visit: 1, work } },
        entered('work'),
        turn('t1'),
        answered('t1'),
        ended('t1'),
        settled(),
      ],
      4,
    ),
  });
  expect(tree(spans).toSorted()).toEqual([
    'chat claude-x < invoke_agent coder',
    'invoke_agent coder < state work',
    'invoke_workflow main < nothing',
    'invoke_workflow main < state work',
    'state work < invoke_workflow main',
    'state work < invoke_workflow main',
  ]);
});

test('[U9] the same journal gives the same spans, and unique ids', () => {
  const journal = {
    r: records([started('main'), entered('work'), turn('t1'), answered('t1'), ended('t1'), settled()]),
  };
  expect(spansOf(journal)).toEqual(spansOf(journal));
  const ids = spansOf(journal).map(({ spanId }) => spanId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(
    spansOf({ other: journal.r })
      .map(({ spanId }) => spanId)
      .filter((id) => ids.includes(id)),
  ).toEqual([]);
});

test('[U9] a model call lasts as long as it took, also if it was repeated after a crash', () => {
  const spans = spansOf({
    r: records([started('main'), entered('work'), turn('t1'), { kind: 'run.resumed', epoch: 2 }, answered('t1')]),
  });
  expect(spans[0]).toMatchObject({
    name: 'chat claude-x',
    kind: 'client',
    startedAt: 4500,
    endedAt: 5000,
    attributes: {
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.cache_read.input_tokens': 4,
      'troupe.cost_usd': { double: 0.5 },
    },
  });
});

test('[U9] failures have their code as error.type; their messages only if content may be sent', () => {
  const failure = { code: 'MODEL_OVERLOADED', message: 'Secret words', class: 'overload' };
  const journal = {
    r: records([
      started('main'),
      entered('work'),
      turn('t1'),
      { kind: 'call.failed', task: 't1', call: 1, attempt: 1, failure, retryAt: 9000 },
      ended('t1', 'failed', failure),
      settled('failed', failure),
    ]),
  };
  const quiet = spansOf(journal);
  expect(quiet.map(({ name, error }) => [name, error])).toEqual([
    ['chat', { code: 'MODEL_OVERLOADED' }],
    ['invoke_agent coder', { code: 'MODEL_OVERLOADED' }],
    ['state work', { code: 'MODEL_OVERLOADED' }],
    ['invoke_workflow main', { code: 'MODEL_OVERLOADED' }],
  ]);
  expect(JSON.stringify(quiet)).not.toContain('Secret');
  expect(spansOf(journal, { ...TRACE, hasContent: true })[0]?.error).toEqual({
    code: 'MODEL_OVERLOADED',
    message: 'Secret words',
  });
});

test('[U9] activities of a client are exported: tools, minions and their tools', () => {
  const item = (id: string, more: object): object => ({ id, kind: 'tool', name: 'Read', status: 'running', ...more });
  const noted = (...items: readonly object[]): object => ({ kind: 'activity.noted', task: 't1', items });
  const spans = spansOf({
    r: records([
      started('main'),
      entered('work'),
      turn('t1'),
      { kind: 'session.noted', task: 't1', agent: 'coder', actor: 'codex', session: 's', how: 'new' },
      noted(item('m', { kind: 'minion', name: 'explorer' })),
      noted(item('a', { parent: 'm' }), item('b', { name: 'signal_back' })),
      noted(item('a', { parent: 'm', status: 'failed' }), item('b', { name: 'signal_back', status: 'ok' })),
      noted(item('m', { kind: 'minion', name: 'explorer', status: 'ok', usage: USAGE })),
      answered('t1', [{ id: 'c', name: 'signal_back', arguments: {} }], 'unheard-of'),
      { kind: 'tool.finished', task: 't1', toolCall: 'c', content: '', isError: false, accepted: true, ms: 0 },
      ended('t1'),
    ]),
  });
  expect(tree(spans)).toEqual([
    'execute_tool Read < invoke_agent explorer',
    'execute_tool signal_back < invoke_agent coder',
    'invoke_agent explorer < invoke_agent coder',
    'chat unheard-of < invoke_agent coder',
    'invoke_agent coder < nothing',
  ]);
  expect(spans[0]).toMatchObject({ startedAt: 6000, endedAt: 7000, error: { code: 'failed' } });
  expect(spans.at(-1)?.attributes).toMatchObject({
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'unheard-of',
  });
});

test('[U9] a rolled-back run continues as new work in the same trace', () => {
  const rewound = {
    kind: 'run.rewound',
    to: 2,
    by: 'ada',
    state: { current: { state: 'work' }, visits: { work: 1 }, tasks: { t1: { work: { kind: 'turn' } } } },
  };
  const spans = spansOf({
    r: records([
      started('main'),
      entered('work'),
      turn('t1'),
      ended('t1'),
      settled(),
      rewound,
      answered('t1'),
      ended('t1'),
      settled(),
    ]),
  });
  expect(tree(spans)).toEqual([
    'invoke_agent coder < state work',
    'state work < invoke_workflow main',
    'invoke_workflow main < nothing',
    'chat claude-x < invoke_agent coder',
    'invoke_agent coder < state work',
    'state work < invoke_workflow main',
    'invoke_workflow main < nothing',
  ]);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
});
