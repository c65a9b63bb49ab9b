import type { Ledger } from './ledger.ts';
import type { ProposedTest } from './position.ts';

/** The result of a reviewer's statement: the ledger with its valid parts, and the errors in the rest. */
export interface TakenPosition {
  readonly ledger: Ledger;
  /** The findings that are new, by their ids. */
  readonly added: readonly string[];
  /** A test that it wants to be run: see `takeTest`. */
  readonly test: ProposedTest | null;
  readonly problems: readonly ReplyProblem[];
}

/** Something wrong with a reply, in words that its author can act on. */
export interface ReplyProblem {
  readonly code: ReplyProblemCode;
  readonly message: string;
}

export type ReplyProblemCode =
  | 'REPLY_INVALID'
  | 'VERDICT_UNKNOWN'
  | 'RANKING_UNKNOWN'
  | 'RANKING_TWICE'
  | 'RANKING_INCOMPLETE'
  | 'IMPLEMENTATION_UNKNOWN'
  | 'IMPLEMENTATION_RESTS'
  | 'FINDING_EMPTY'
  | 'FINDING_INVALID'
  | 'PLACE_UNKNOWN'
  | 'FINDING_UNKNOWN'
  | 'FINDING_CLOSED'
  | 'STANCE_TWICE'
  | 'STANCE_UNKNOWN'
  | 'STANCE_MISSING'
  | 'REASON_MISSING'
  | 'CHANGE_MISSING'
  | 'TEST_INVALID'
  | 'REVIEWER_UNKNOWN'
  | 'REVIEWER_OUT'
  | 'SPOKEN_ALREADY'
  | 'REVIEWS_MISSING'
  | 'REVIEWS_OVER'
  | 'DEBATE_OVER';

/** The ledger as it is now, and nothing to say about it. */
export const done = (ledger: Ledger): TakenPosition => ({ ledger, added: [], test: null, problems: [] });

/** Nothing was taken, and why. */
export const refusedPosition = (ledger: Ledger, code: ReplyProblemCode, message: string): TakenPosition => ({
  ledger,
  added: [],
  test: null,
  problems: [{ code, message }],
});

/** The newest reply of a reviewer was sent back once and is taken with these flaws: its invalid parts do not count. */
export function withFlaws(ledger: Ledger, reviewer: string, flaws: readonly string[]): Ledger {
  const last = ledger.positions.findLast((spoken) => spoken.reviewer === reviewer);
  const positions = ledger.positions.map((spoken) => (spoken === last ? { ...spoken, flaws } : spoken));
  return flaws.length === 0 ? ledger : { ...ledger, positions };
}
