import type { Outcome } from '../../core/outcome.ts';
import type { Severity } from '../../core/review/finding.ts';
import type { DecisionView } from './debate-view.ts';
import type { LostImplementation } from './review-data.ts';
import type { ReviewRun } from './review-run.ts';
import type { SpendingFigures } from './spending-view.ts';

/** What `compare --json` prints (PD5). Fields are added, never renamed; times are in milliseconds. */
export interface CompareView extends ReviewRun {
  readonly kind: 'compare';
  /** The user's command; null where none was named. */
  readonly verify: string | null;
  /** How the best one is found. */
  readonly pick: string | null;
  /** Rounds of revision so far. */
  readonly revisions: number;
  readonly implementations: readonly ImplementationView[];
  /** The one that was merged, or should have been; before that the one that was found best. */
  readonly winner: string | null;
  readonly isMerged: boolean;
  readonly decision: DecisionView | null;
}

export interface ImplementationView {
  readonly id: string;
  /** The models that answered for it. */
  readonly models: readonly string[];
  /**
   * `merged`: its files are the result. `best`: it was found best. `unmerged`: it was to be the result, and could not be.
   * `unverified`: the same, since the command was red on it or it changed what the command is made of.
   * `judged`: it takes part. `aside`: others were chosen. `unreviewed`: it came out well, and nobody was shown it. `lost`: it
   * did not come out well. `working`: it is not there yet.
   */
  readonly standing:
    | 'merged'
    | 'best'
    | 'unmerged'
    | 'unverified'
    | 'judged'
    | 'aside'
    | 'unreviewed'
    | 'lost'
    | 'working';
  /** How its last turn came out; null while it goes on, or where it had none. */
  readonly outcome: Outcome | null;
  readonly lost: LostImplementation | null;
  /** Null where nothing was run. */
  readonly evidence: EvidenceView | null;
  /** Null where it is not known. */
  readonly diff: DiffSize | null;
  readonly findings: FindingCounts;
  /** 1 is the best; null where nobody ranked it. */
  readonly rank: number | null;
  /** Of a Borda count over the last rankings of the reviewers. */
  readonly points: number | null;
  /** How often its author went over it again. */
  readonly revisions: number;
  readonly spending: SpendingFigures;
}

export interface EvidenceView {
  readonly isGreen: boolean;
  readonly exitCode: number | null;
  /** Null: the output does not say. */
  readonly passed: number | null;
  readonly failed: number | null;
  /** Why the command came to no end. */
  readonly problem: string | null;
  /** The end of what it printed. */
  readonly output: string;
  readonly ms: number | null;
  /** What the command is made of and the implementer changed; the user's own was used instead. */
  readonly tampered: readonly { readonly path: string; readonly how: string }[];
}

/** Against what it began with. */
export interface DiffSize {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly binary: number;
  /** `first`: as it was first packed, since the files are not kept any more. */
  readonly of: 'now' | 'first';
}

export interface FindingCounts {
  /** What stands or is open, also where it rests; that about no one in particular counts for each. */
  readonly against: Readonly<Record<Severity, number>>;
  /** Fixed, withdrawn or refuted. */
  readonly done: number;
}
