import type { Fact, JournalRecord } from '../../../../core/record/fact.ts';
import type { Patch } from '../../../../core/record/patch.ts';
import type { Json } from '../../../../core/model/json.ts';
import type { Outcome } from '../../../../core/model/outcome.ts';
import { decideReview } from '../../rules/decide.ts';
import type { DecideBy } from '../../rules/deciding.ts';
import type { Ledger } from '../../rules/ledger.ts';
import type { ReviewPosition } from '../../rules/position.ts';
import { reduceReview } from '../../rules/reduce-review.ts';
import type { FindingDraft, Review } from '../../rules/review.ts';
import { newReviewState, REVIEW_STATE, type ReviewState, type ReviewTerms } from '../../rules/review-state.ts';
import { takePosition } from '../../rules/take-position.ts';
import { takeReview } from '../../rules/take-review.ts';
import { began, entered, turnOf, work } from '../../../../protocol/workflow-state/testing/test-records.ts';

/** The records of a review, turn by turn; the real functions make the ledger. */
export class ReviewTale {
  readonly #records: JournalRecord[] = [];
  #at = 0;
  #tasks = 0;
  #state: ReviewState;
  readonly #terms: ReviewTerms;

  constructor(reviewers: readonly string[], implementers: readonly string[], maxRounds = 3) {
    const bounds = { maxRounds, finalRounds: 2, maxRevisions: 2, quorum: 1 };
    const terms = { ...bounds, implementers, reviewers, pick: 'ranking', protect: [] } as const;
    this.#terms = terms;
    this.#state = newReviewState(terms);
    const contexts = [...implementers, ...reviewers, 'synthesiser'].map((name) => ({
      name,
      messages: [],
      maxLength: 1000,
    }));
    this.add({ ...began('r1'), data: { task: 'Make it.', verify: 'npm test' }, contexts });
    this.add(entered('start'));
    this.set({});
  }

  get ledger(): Ledger {
    return this.#state.ledger;
  }

  get records(): readonly JournalRecord[] {
    return this.#records;
  }

  add(fact: object, afterMs = 0): this {
    this.#at += afterMs;
    this.#records.push({ seq: this.#records.length + 1, at: this.#at, fact: fact as Fact });
    return this;
  }

  set(values: Partial<ReviewState>): this {
    this.#state = { ...this.#state, ...values };
    const patch: Patch = { set: { [REVIEW_STATE]: this.#state as unknown as Json } };
    return this.add({ kind: 'data.set', patch });
  }

  keep(ledger: Ledger): this {
    return this.set({ ledger });
  }

  decide(by: Partial<DecideBy> = {}): this {
    const { pick = 'ranking' } = by;
    const decision = decideReview(this.ledger, { evidence: {}, ...by, pick });
    return this.set({ decision, pick, decidedIn: this.ledger.debate });
  }

  /** The final review after a revision of these. */
  reopen(chosen: readonly string[], touched: Readonly<Record<string, boolean>> = {}): this {
    this.set({ revisions: this.#state.revisions + 1, units: chosen.map((id) => ({ id })) });
    const pack = { text: '', trees: {}, diffs: {}, engine: [] };
    const basis = { terms: this.#terms, command: 'npm test' };
    return this.set(reduceReview(this.#state, { kind: 'packed', pack, sizes: {}, touched }, basis).state);
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
