import type { Fact, JournalRecord } from '../../src/core/record/fact.ts';
import { bodyHash, runId, taskId } from '../../src/core/model/ids.ts';
import type { Journal, Lease, RunSummary } from '../../src/journal/port.ts';

const TEXT = 'The agent says what it has found, and what it is going to do about it. '.repeat(5);
const RUNNING: RunSummary = { status: 'running', outcome: null };

/** A run whose agent takes one turn after the other: the records are what a real one has, without anybody who thinks. */
export class WebRun {
  readonly #journal: Journal;
  readonly #lease: Lease;
  #seq = 0;

  private constructor(journal: Journal, lease: Lease) {
    this.#journal = journal;
    this.#lease = lease;
  }

  static async begin(journal: Journal, name: string): Promise<WebRun> {
    const run = runId(name);
    const about = { run, parent: null, workflow: 'bench', project: '/project', title: `Run ${name}`, at: Date.now() };
    const made = new WebRun(journal, await journal.create(about, 'bench'));
    await made.#append(
      [started(name), { kind: 'state.entered', state: 'work', visit: 1, from: null, patch: null }],
      RUNNING,
    );
    return made;
  }

  /** The time of a record is when it was handed to the journal. */
  async add(count: number): Promise<void> {
    const facts = Array.from({ length: count }, (_, index) => turnFact(this.#seq + index));
    await this.#append(facts, RUNNING);
  }

  async settle(): Promise<void> {
    const settled: Fact = { kind: 'run.settled', outcome: 'ok', output: TEXT, failure: null };
    await this.#append([settled], { status: 'settled', outcome: 'ok' });
    await this.#journal.release(this.#lease);
  }

  async #append(facts: readonly Fact[], summary: RunSummary): Promise<void> {
    const at = Date.now();
    const records = facts.map((fact): JournalRecord => ({ seq: (this.#seq += 1), at, fact }));
    await this.#journal.append(this.#lease, { records, summary });
  }
}

/** Three records make a turn. */
function turnFact(after: number): Fact {
  const task = taskId(`t${Math.floor(after / 3)}`);
  const step = after % 3;
  if (step === 0) {
    const work = { kind: 'turn', agent: 'coder', context: 'main', input: null } as const;
    return { kind: 'task.started', task, state: 'work', pool: null, unit: null, work, deadline: null };
  }
  if (step === 2) return { kind: 'task.ended', task, outcome: 'ok', output: null, failure: null };
  return {
    kind: 'call.answered',
    task,
    call: 1,
    attempt: 1,
    message: { author: 'coder', role: 'assistant', content: TEXT },
    usage: { inputTokens: 100, outputTokens: 50, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 },
    costUsd: 0.001,
    model: 'none',
    ms: 1,
  };
}

const started = (run: string): Fact => ({
  kind: 'run.started',
  format: 1,
  engine: 'bench',
  run: runId(run),
  parent: null,
  workflow: 'bench',
  definition: bodyHash('0'.repeat(64)),
  input: {},
  data: {},
  contexts: [{ name: 'main', messages: [], maxLength: 50_000 }],
  limits: { iterations: 1_000_000, toolRounds: 50 },
  project: '/project',
});
