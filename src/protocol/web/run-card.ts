import type { RunStatusWord } from '../status-word.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { ResultState } from '../../core/result-state.ts';
import type { CostUsd, Usage } from '../../core/usage.ts';
import type { ClockFace } from '../../core/work-clock.ts';
import type { QuestionView } from '../question-view.ts';

/** A run on the board: all that is shown of it without opening it. */
export interface RunCard {
  readonly run: string;
  readonly workflow: string;
  readonly title: string;
  readonly project: string;
  readonly column: Column;
  readonly status: RunStatusWord;
  readonly outcome: Outcome | null;
  /** Where its result is; absent while it goes on, and where there is none. */
  readonly result?: ResultState;
  /** A live process drives it now. */
  readonly driven: boolean;
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
  /** Number of the newest record. */
  readonly seq: number;
  /** What it takes a fold to know; null until somebody has folded it, and where it cannot be read. */
  readonly details: CardDetails | null;
  /** Why it cannot be read. */
  readonly damage: string | null;
}

export interface CardDetails {
  readonly usage: Usage;
  /** null: at least one call had no known price. */
  readonly costUsd: CostUsd;
  /** How long it has taken (`timeNow`). */
  readonly clock: ClockFace;
  readonly state: string;
  /** Those at work now. */
  readonly agents: readonly string[];
  /** Its own and those of the runs below it. */
  readonly questions: readonly QuestionView[];
  /** The sentence of its failure. */
  readonly failure: string | null;
  /** Its result waits for the user to take it. */
  readonly isResultWaiting: boolean;
  /** Commands for what can be done with its result now. */
  readonly hints: readonly string[];
  /** The branch that its result was delivered to, once git says that the user merged or deleted it; no record says that. */
  readonly takenBranch: string | null;
}

/** `needs-you`: it asks, met a limit, or nobody drives it. `review`: it is over, and its result was not taken or is not good. */
export type Column = 'running' | 'needs-you' | 'review' | 'done';

export interface RunPage {
  readonly cards: readonly RunCard[];
  /** How many there are by column, with the same search and filters. */
  readonly counts: Readonly<Record<Column, number>>;
  /** For the next page; null at the end. */
  readonly next: string | null;
  /**
   * Runs that came out well and are not read yet: they count as done until it is known whether their results wait. The counts are
   * exact when it is 0; what changes is told on the stream.
   */
  readonly unread: number;
}
