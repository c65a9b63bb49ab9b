import type { Fact, JournalRecord } from '../../../core/record/fact.ts';
import { runId } from '../../../core/model/ids.ts';
import type { RunRecord } from '../../history/run-record.ts';
import { startedRun } from '../../../core/testing/started-run.ts';

/** Facts as a test writes them down: only what matters to it. */
export type TestFact = { readonly kind: Fact['kind'] } & Readonly<Record<string, unknown>>;

/** Records a second apart, the first at one second. */
export const testRecords = (facts: readonly TestFact[]): readonly JournalRecord[] =>
  facts.map((fact, index) => ({ seq: index + 1, at: 1000 * (index + 1), fact: fact as unknown as Fact }));

/** Records of several runs in the order in which they stand here, a second apart. */
export function testTree(lines: readonly (readonly [run: string, fact: TestFact])[]): readonly RunRecord[] {
  const counts = new Map<string, number>();
  return lines.map(([run, fact], index) => {
    const seq = (counts.get(run) ?? 0) + 1;
    counts.set(run, seq);
    return { run: runId(run), record: { seq, at: 1000 * (index + 1), fact: fact as unknown as Fact } };
  });
}

export const began = (run: string, more: object = {}): TestFact => ({
  ...startedRun(run),
  workflow: 'flow',
  definition: 'd',
  contexts: [{ name: 'c', messages: [], maxLength: 1000 }],
  ...more,
});

export const entered = (state: string, from: string | null = null): TestFact => ({
  kind: 'state.entered',
  state,
  visit: 1,
  from: from === null ? null : { state: from, outcome: 'ok', transition: 0 },
  patch: null,
});

export const work = (task: string, state: string, what: object): TestFact => ({
  kind: 'task.started',
  task,
  state,
  pool: null,
  unit: null,
  work: what,
  deadline: null,
});

/** The same as a unit of a pool. */
export const inPool = (started: TestFact, pool: string, unit: string): TestFact => ({ ...started, pool, unit });

export const turnOf = (agent: string): object => ({ kind: 'turn', agent, context: 'c', input: 'Go' });

export const callOf = (workflow: string): object => ({ kind: 'call', workflow, input: {} });

export const ended = (task: string, outcome = 'ok', failure: object | null = null): TestFact => ({
  kind: 'task.ended',
  task,
  outcome,
  output: null,
  failure,
});

export const settled = (outcome = 'ok', failure: object | null = null): TestFact => ({
  kind: 'run.settled',
  outcome,
  output: null,
  failure,
});

/** One answer of a model, with the tools it asks for as `id name`. */
export const answered = (task: string, ...tools: readonly string[]): TestFact => ({
  kind: 'call.answered',
  task,
  call: 1,
  attempt: 1,
  message: {
    author: 'a',
    role: 'assistant',
    content: '',
    toolCalls: tools.map((tool) => ({ id: tool.split(' ')[0], name: tool.split(' ')[1], arguments: {} })),
  },
  usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 },
  costUsd: 0.5,
  model: 'm1',
  ms: 5,
});

export const used = (task: string, toolCall: string, more: object = {}): TestFact => ({
  kind: 'tool.finished',
  task,
  toolCall,
  content: '',
  isError: false,
  ms: 1,
  ...more,
});

export const made = (
  task: string,
  path: string,
  more: { readonly hash?: string; readonly [name: string]: unknown } = {},
): TestFact => {
  const hash = (more.hash ?? 'aa11').padEnd(64, '0');
  const artifact = {
    type: 'code',
    name: 'out',
    producer: 'coder',
    phase: 'build',
    bytes: 3,
    metadata: {},
    dependencies: [],
    ...more,
  };
  return { kind: 'artifact.recorded', task, artifact: { id: `${path}@${hash.slice(0, 4)}`, path, ...artifact, hash } };
};

export const sent = (task: string, type: string, more: object = {}): TestFact => ({
  kind: 'bus.sent',
  task,
  message: {
    id: `${task}/1`,
    type,
    sender: 'coder',
    receiver: 'orchestrator',
    payload: {},
    correlationId: 'x',
    ...more,
  },
});

const THEN = { status: 'running', current: { state: 's' }, visits: {}, tasks: {} };

export const putBack = (to: number, state: object | null = THEN): TestFact => ({
  kind: 'run.rewound',
  to,
  by: 'me',
  state,
});
