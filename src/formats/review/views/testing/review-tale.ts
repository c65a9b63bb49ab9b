import type { Fact, JournalRecord } from '../../../../core/record/fact.ts';
import type { Patch } from '../../../../core/record/patch.ts';
import type { Json, JsonObject } from '../../../../core/model/json.ts';
import type { Outcome } from '../../../../core/model/outcome.ts';
import { newLedger, type Ledger } from '../../rules/ledger.ts';
import type { ReviewPosition } from '../../rules/position.ts';
import type { FindingDraft, Review } from '../../rules/review.ts';
import { takePosition } from '../../rules/take-position.ts';
import { takeReview } from '../../rules/take-review.ts';
import { began, entered, turnOf, work } from '../../../../protocol/workflow-state/testing/told-records.ts';

/** The records of a review, told turn by turn; the ledger is made by the functions that make the real one. */
export class ReviewTale {
  readonly #records: JournalRecord[] = [];
  #at = 0;
  #tasks = 0;
  ledger: Ledger;

  constructor(reviewers: readonly string[], implementations: readonly string[], maxRounds = 3) {
    this.ledger = newLedger(reviewers, implementations, maxRounds);
    const contexts = [...implementations, ...reviewers, 'synthesiser'].map((name) => ({
      name,
      messages: [],
      maxLength: 1000,
    }));
    this.add({ ...began('r1'), data: { task: 'Make it.', verify: 'npm test' }, contexts });
    this.add(entered('start'));
    this.keep();
  }

  get records(): readonly JournalRecord[] {
    return this.#records;
  }

  add(fact: object, afterMs = 0): this {
    this.#at += afterMs;
    this.#records.push({ seq: this.#records.length + 1, at: this.#at, fact: fact as Fact });
    return this;
  }

  set(values: object): this {
    const patch: Patch = { set: values as JsonObject };
    return this.add({ kind: 'data.set', patch });
  }

  keep(ledger: Ledger = this.ledger): this {
    this.ledger = ledger;
    return this.set({ ledger: ledger as unknown as Json });
  }

  start(agent: string, state: string): string {
    this.#tasks += 1;
    const task = `t${this.#tasks}`;
    this.add(work(task, state, { ...turnOf(agent), context: agent }));
    return task;
  }

  /** A turn of one call that took so long and cost so much; null: the price is not known. */
  turn(agent: string, state: string, { ms = 1000, costUsd = 0.25, outcome = 'ok' }: TurnParts = {}): this {
    const task = this.start(agent, state);
    this.add(answered(task, agent, costUsd), ms);
    return this.end(task, outcome);
  }

  end(task: string, outcome: Outcome = 'ok'): this {
    return this.add({ kind: 'task.ended', task, outcome, output: null, failure: null });
  }

  review(reviewer: string, review: Partial<Review>): this {
    this.turn(reviewer, 'review');
    return this.keep(takeReview(this.ledger, reviewer, { ...SAYS, ...review }).ledger);
  }

  position(reviewer: string, position: Partial<ReviewPosition>): this {
    this.turn(reviewer, 'debate');
    return this.keep(takePosition(this.ledger, reviewer, { ...SAYS, stances: [], ...position }).ledger);
  }

  settle(outcome: Outcome = 'ok'): this {
    return this.add({ kind: 'run.settled', outcome, output: null, failure: null });
  }
}

interface TurnParts {
  readonly ms?: number;
  readonly costUsd?: number | null;
  readonly outcome?: Outcome;
}

const SAYS = { verdict: 'APPROVE', ranking: ['impl_1', 'impl_2'], findings: [], summary: '' } as const;

export const finding = (parts: Partial<FindingDraft> = {}): FindingDraft => ({
  implementation: 'impl_1',
  severity: 'major',
  priority: 2,
  file: 'src/a.ts',
  line: 3,
  claim: 'It is wrong.',
  change: 'Make it right.',
  ...parts,
});

export const answered = (task: string, agent: string, costUsd: number | null): object => ({
  kind: 'call.answered',
  task,
  call: 1,
  attempt: 1,
  message: { role: 'assistant', author: agent, content: 'Well.' },
  usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 },
  costUsd,
  model: `model of ${agent}`,
  ms: 1,
});
