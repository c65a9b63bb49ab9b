import { expect, test } from 'vitest';
import type { Fact } from '../../core/record/fact.ts';
import type { LogLine } from './log-line.ts';
import { RunLogLines } from './run-log-lines.ts';

const USAGE = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 1, calls: 1 };
const FAILURE = { code: 'MODEL_OVERLOADED', message: 'Come\nback later', class: 'overload' };

const turn = {
  kind: 'task.started',
  task: 't1',
  state: 'plan',
  pool: null,
  unit: null,
  work: { kind: 'turn', agent: 'coder', context: 'c', input: 'Go' },
};

const answered = (...toolCalls: readonly object[]): object => ({
  kind: 'call.answered',
  task: 't1',
  call: 1,
  attempt: 1,
  message: { author: 'coder', role: 'assistant', content: '', toolCalls },
  usage: USAGE,
  costUsd: 0.25,
  model: 'm1',
  ms: 70,
});

/** Records a second apart, the first at one second. */
function linesOf(facts: readonly object[], run = 'r1'): readonly LogLine[] {
  const lines = new RunLogLines(run);
  return facts.flatMap((fact, index) => lines.linesOf({ seq: index + 1, at: 1000 * (index + 1), fact: fact as Fact }));
}

const started = { kind: 'run.started', workflow: 'flow' };

test('[PH8] a tool call has exactly the fields of the document, with its names and in its order', () => {
  const lines = linesOf([
    started,
    turn,
    answered({ id: 'c', name: 'read_file', arguments: { path: 'models/user.py' } }),
    { kind: 'tool.finished', task: 't1', toolCall: 'c', content: 'text', isError: false, ms: 45 },
  ]);
  const call = lines.at(-1);
  expect(Object.keys(call ?? {}).slice(0, 9)).toEqual([
    'timestamp',
    'level',
    'agent_id',
    'workflow_id',
    'event',
    'tool',
    'file',
    'duration_ms',
    'status',
  ]);
  expect(call).toEqual({
    timestamp: '1970-01-01T00:00:04.000Z',
    level: 'INFO',
    agent_id: 'coder',
    workflow_id: 'r1',
    event: 'tool_call',
    tool: 'read_file',
    file: 'models/user.py',
    duration_ms: 45,
    status: 'success',
    run: 'r1',
    seq: 4,
    state: 'plan',
    task: 't1',
  });
});

test('[PH8] a child run bears the id of the run that a person started, and its own', () => {
  expect(linesOf([started], 'r1/t2/t1')[0]).toMatchObject({ workflow_id: 'r1', run: 'r1/t2/t1', workflow: 'flow' });
});

test('[PH8] model calls show model, time, tokens and cost; those that failed also why', () => {
  const failed = { kind: 'call.failed', task: 't1', call: 1, attempt: 1, failure: FAILURE };
  const lines = linesOf([
    started,
    turn,
    { ...failed, retryAt: 99 },
    { kind: 'call.retried', task: 't1', call: 1, attempt: 2 },
    { ...failed, retryAt: null, spent: { usage: USAGE, costUsd: null } },
    answered(),
  ]).filter(({ event }) => event === 'model_call');
  expect(lines).toMatchObject([
    { level: 'WARN', status: 'retrying', duration_ms: 1000, code: 'MODEL_OVERLOADED', message: 'Come back later' },
    { level: 'ERROR', status: 'failed', duration_ms: 1000, input_tokens: 10, cost_usd: null },
    {
      level: 'INFO',
      status: 'success',
      duration_ms: 70,
      model: 'm1',
      input_tokens: 10,
      output_tokens: 2,
      cache_read_tokens: 4,
      cache_write_tokens: 1,
      cost_usd: 0.25,
    },
  ]);
});

test('[U8] [PH8] a turn that a run below takes is logged once as a turn, with what it cost in all', () => {
  const apart = { state: 'plan', visit: 1, work: turn.work };
  const end = { kind: 'task.ended', task: 't1', outcome: 'ok', output: null, failure: null };
  const paid = { usage: USAGE, costUsd: 0.25 };
  const above = linesOf([started, { ...turn, work: { ...turn.work, apart: true } }, { ...end, ...paid }]);
  const below = linesOf([{ ...started, apart }, turn, answered(), end], 'r1/t1');
  expect([...above, ...below].filter(({ agent_id }) => agent_id !== null)).toMatchObject([
    { event: 'agent_started', run: 'r1' },
    { event: 'agent_completed', run: 'r1', cost_usd: 0.25, input_tokens: 10 },
    { event: 'model_call', run: 'r1/t1', cost_usd: 0.25 },
  ]);
});

test('[PH8] what did not come out well says so by level and status', () => {
  const lines = linesOf([
    started,
    turn,
    answered({ id: 'a', name: 'shell', arguments: {} }, { id: 'b', name: 'write_file', arguments: { path: 'x' } }),
    { kind: 'tool.finished', task: 't1', toolCall: 'a', content: '', isError: true, ms: 1 },
    {
      kind: 'tool.finished',
      task: 't1',
      toolCall: 'b',
      content: '',
      isError: true,
      ms: 1,
      refused: 'TOOL_NOT_ALLOWED',
    },
    { kind: 'task.ended', task: 't1', outcome: 'timeout', output: null, failure: FAILURE },
    { kind: 'run.settled', outcome: 'partial', output: null, failure: null },
  ]);
  expect(lines.slice(3)).toMatchObject([
    { event: 'tool_call', tool: 'shell', level: 'WARN', status: 'failed' },
    { event: 'tool_call', tool: 'write_file', file: 'x', level: 'WARN', status: 'refused', code: 'TOOL_NOT_ALLOWED' },
    { event: 'agent_completed', level: 'ERROR', status: 'timeout', duration_ms: 4000 },
    { event: 'workflow_completed', level: 'WARN', status: 'partial', duration_ms: 6000 },
  ]);
});

test('[PD3] what an engine program notes, such as a refused review, is in the log', () => {
  const note = 'rev_1, first review: refused. The ranking leaves out impl_2.';
  const lines = linesOf([
    started,
    { ...turn, state: 'take', work: { kind: 'compute', name: 'review.take', input: {} } },
    { kind: 'task.ended', task: 't1', outcome: 'ok', output: { isTaken: false, note }, failure: null },
  ]);
  expect(lines.at(-1)).toMatchObject({ event: 'compute_completed', level: 'WARN', status: 'success', message: note });
});

test('[PH8] each activity of a client is logged once, at its end, and its signal not twice', () => {
  const item = (id: string, status: string, more: object = {}): object => ({
    id,
    kind: 'tool',
    name: 'Read',
    status,
    ...more,
  });
  const noted = (...items: readonly object[]): object => ({ kind: 'activity.noted', task: 't1', items });
  const lines = linesOf([
    started,
    turn,
    noted(item('a', 'running', { text: 'src/a.ts' }), item('s', 'ok', { name: 'signal_back', text: 'complete' })),
    noted(item('a', 'ok', { text: 'src/a.ts' }), item('b', 'denied', { name: 'Bash', text: 'rm x' })),
    noted(item('a', 'ok', { text: 'src/a.ts' }), item('m', 'ok', { kind: 'minion', name: 'explorer', usage: USAGE })),
    answered({ id: 'c', name: 'signal_back', arguments: {} }),
    { kind: 'tool.finished', task: 't1', toolCall: 'c', content: '', isError: false, accepted: true, ms: 0 },
  ]).filter(({ event }) => !['model_call', 'workflow_started', 'agent_started'].includes(event));
  expect(lines).toMatchObject([
    { seq: 3, event: 'tool_call', tool: 'signal_back', file: null, status: 'success' },
    { seq: 4, part: 1, event: 'tool_call', tool: 'Read', file: 'src/a.ts', duration_ms: 1000, status: 'success' },
    { seq: 4, part: 2, event: 'tool_call', tool: 'Bash', file: null, status: 'refused', level: 'WARN' },
    { seq: 5, event: 'sub_agent_completed', agent_id: 'coder', message: 'explorer', input_tokens: 10 },
  ]);
});

test('[PH8] artifacts, handoffs, messages and progress name their agents', () => {
  const lines = linesOf([
    started,
    {
      kind: 'artifact.recorded',
      task: 't9',
      artifact: { id: 'r/plan', type: 'plan', producer: 'planner', path: 'plan.md' },
    },
    { kind: 'handoff.made', task: 't9', handoff: { from: 'planner', to: 'coder', correlationId: 'k1' } },
    {
      kind: 'bus.sent',
      task: null,
      message: { type: 'error', sender: 'coder', receiver: 'orchestrator', correlationId: 'k2' },
    },
    { kind: 'progress.noted', task: 't9', agent: 'coder', progress: 0.5, message: 'half' },
  ]);
  expect(lines.slice(1)).toMatchObject([
    { event: 'artifact_created', agent_id: 'planner', file: 'plan.md' },
    { event: 'handoff', agent_id: 'planner', message: 'to coder (k1)' },
    { event: 'message', agent_id: 'coder', level: 'ERROR' },
    { event: 'progress', agent_id: 'coder', message: '50 %: half' },
  ]);
});

test('[L9] the same records give the same lines, and nothing that was said is in one', () => {
  const facts = [
    started,
    turn,
    { ...answered(), message: { author: 'coder', role: 'assistant', content: 'A secret' } },
  ];
  expect(linesOf(facts)).toEqual(linesOf(facts));
  expect(JSON.stringify(linesOf(facts))).not.toMatch(/secret|"Go"/);
});

test('[PH8] a unit without an id is called by its item, not by its number', () => {
  const unit = (id: string) => ({ ...turn, task: `t${id}`, pool: 'p', unit: id });
  const items = ['umlauts', 'empty titles\nof posts', { id: 'own' }, 7];
  const ids = ['0', '1', 'own', '3'];
  const lines = linesOf([
    started,
    { kind: 'units.added', task: 'p', by: null, units: items.map((item, at) => ({ id: ids[at], after: [], item })) },
    ...ids.map(unit),
    ...ids.map((id) => ({ kind: 'task.ended', task: `t${id}`, outcome: 'ok', output: null, failure: null })),
  ]);
  expect(new Set(lines.flatMap((line) => line.unit ?? []))).toEqual(
    new Set(['umlauts', 'empty titles of posts', 'own', '3']),
  );
});
