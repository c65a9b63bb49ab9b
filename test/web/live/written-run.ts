import type { Fact, JournalRecord } from '../../../src/core/record/fact.ts';
import { runId, taskId } from '../../../src/core/model/ids.ts';
import type { Outcome } from '../../../src/core/model/outcome.ts';
import { startedRun } from '../../../src/core/testing/started-run.ts';
import type { Journal, Lease, RunSummary } from '../../../src/journal/port.ts';

const RUNNING: RunSummary = { status: 'running', outcome: null };
const MAIN = { name: 'main', messages: [], maxLength: 1_000_000 };

export interface RunParts {
  readonly parent?: string;
  readonly title?: string;
  readonly workflow?: string;
  readonly project?: string;
}

/** A run that a test writes record by record, as the process that drives it would. */
export class WrittenRun {
  readonly #journal: Journal;
  readonly #lease: Lease;
  #seq = 0;

  private constructor(journal: Journal, lease: Lease) {
    this.#journal = journal;
    this.#lease = lease;
  }

  static async begin(journal: Journal, name: string, parts: RunParts = {}): Promise<WrittenRun> {
    const { parent = null, title = '', workflow = 'review', project = '/project' } = parts;
    const above = parent === null ? null : runId(parent);
    const lease = await journal.create({ run: runId(name), parent: above, workflow, project, title, at: 1 }, 'test');
    const run = new WrittenRun(journal, lease);
    await run.add(startedRun(name, { parent: above, workflow, contexts: [MAIN] }), entered('first'));
    return run;
  }

  get seq(): number {
    return this.#seq;
  }

  async add(...facts: readonly Fact[]): Promise<void> {
    await this.addWith(RUNNING, ...facts);
  }

  async addWith(summary: RunSummary, ...facts: readonly Fact[]): Promise<void> {
    const records = facts.map((fact): JournalRecord => ({ seq: (this.#seq += 1), at: 1000 + this.#seq, fact }));
    await this.#journal.append(this.#lease, { records, summary });
  }

  async settle(outcome: Outcome = 'ok', output = 'the output'): Promise<void> {
    await this.addWith({ status: 'settled', outcome }, { kind: 'run.settled', outcome, output, failure: null });
  }

  async release(): Promise<void> {
    await this.#journal.release(this.#lease);
  }
}

export const said = (content: string): Fact => ({
  kind: 'message.added',
  context: 'main',
  message: { author: 'coder', role: 'assistant', content },
});

export const entered = (state: string): Fact => ({ kind: 'state.entered', state, visit: 1, from: null, patch: null });

export const asks = (task: string, question: string): Fact => startedTask(task, { kind: 'ask', question, choices: [] });

export const calls = (task: string): Fact => startedTask(task, { kind: 'call', workflow: 'below', input: {} });

export const answers = (task: string, content: string): Fact => ({
  kind: 'call.answered',
  task: taskId(task),
  call: 1,
  attempt: 1,
  message: { author: 'coder', role: 'assistant', content },
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 },
  costUsd: 0.5,
  model: 'm',
  ms: 1,
});

export const turns = (task: string, agent = 'coder'): Fact =>
  startedTask(task, { kind: 'turn', agent, context: 'main', input: null });

type Work = Extract<Fact, { kind: 'task.started' }>['work'];

const startedTask = (task: string, work: Work): Fact => ({
  kind: 'task.started',
  task: taskId(task),
  state: 'first',
  pool: null,
  unit: null,
  work,
  deadline: null,
});
