import type { Unverified } from '../../../core/look/unverified.ts';
import type { Json } from '../../../core/model/json.ts';
import type { Failure, Outcome } from '../../../core/model/outcome.ts';
import type { ChangeSize } from './change-size.ts';
import type { ReviewDecision } from './decide.ts';
import type { PickBy } from './deciding.ts';
import { newLedger, type Convergence, type Ledger } from './ledger.ts';
import type { FindingDraft } from './review.ts';

/** The variable of the run in which a review keeps its state. */
export const REVIEW_STATE = 'review';

/** All that a review knows from one event to the next; changed by `reduceReview` alone. */
export interface ReviewState {
  /** The command that a person chose instead of the input `verify`: empty for none, null where no one was asked. */
  readonly command: string | null;
  readonly ledger: Ledger;
  /** Successful implementations. */
  readonly alive: readonly string[];
  readonly lost: readonly ImplementationEnd[];
  /** What each author says about its implementation. */
  readonly claims: Readonly<Record<string, string>>;
  /** The implementations that are looked at now, as units of a pool. */
  readonly units: readonly { readonly id: string }[];
  /** The engine's evidence, by implementation. */
  readonly evidence: Readonly<Record<string, CommandEvidence>>;
  readonly pack: ReviewPack | null;
  /** The size of each implementation when the reviewers first got it. */
  readonly firstSizes: Readonly<Record<string, ChangeSize>>;
  /** The same as it is now, revisions included. */
  readonly sizes: Readonly<Record<string, ChangeSize>>;
  /** Null before the debate. */
  readonly speaker: string | null;
  /** The prompt of the next agent. */
  readonly say: string;
  /** The speaker has not seen the revision yet. */
  readonly isNew: boolean;
  readonly decision: ReviewDecision | null;
  /** How it found the best one. */
  readonly pick: PickBy | null;
  /** The debate that the decision follows from. */
  readonly decidedIn: number;
  /** The debates before the present one. */
  readonly debates: readonly PastDebate[];
  readonly asked: Json;
  readonly synthesis: Json;
  /** Why the combination of a synthesis was not taken. */
  readonly unmixed: string;
  /** The findings for each implementer to fix, and its tree before that. */
  readonly orders: Readonly<Record<string, string>>;
  readonly trees: Readonly<Record<string, string>>;
  readonly revisions: number;
  /** How often the winner collided with changes of others. */
  readonly collisions: number;
  readonly collision: ReviewFailure | null;
  /** Why the command cannot be run. */
  readonly unusable: string;
  /** The question for the person. */
  readonly question: string;
  readonly unverified: Unverified | null;
  readonly problem: ReviewFailure | null;
}

/** The author's settings; part of the definition, so that a run continues with the terms of a changed file. */
export interface ReviewTerms {
  readonly implementers: readonly string[];
  readonly reviewers: readonly string[];
  readonly maxRounds: number;
  readonly finalRounds: number;
  readonly maxRevisions: number;
  readonly quorum: number;
  readonly pick: PickBy;
  readonly protect: readonly string[];
}

/** The context of the rules besides the state that they keep. */
export interface ReviewBasis {
  readonly terms: ReviewTerms;
  /** The user's command; may be empty. */
  readonly command: string;
}

/** The result of an implementation. */
export interface ImplementationEnd {
  readonly id: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
}

/** The result of `review.verify`, or the reason for having none. */
export interface CommandEvidence {
  readonly isGreen: boolean;
  readonly exitCode: number | null;
  readonly output: string;
  readonly tampered: readonly { readonly path: string; readonly how: string }[];
  readonly extended?: readonly string[];
  readonly isUnusable?: boolean;
  readonly command?: string;
  readonly problem?: string | null;
  readonly ms?: number;
  readonly passed?: number | null;
  readonly failed?: number | null;
}

/** The text for reviewers, and its citable places. */
export interface ReviewPack {
  readonly text: string;
  readonly trees: Readonly<Record<string, string>>;
  readonly diffs: Readonly<Record<string, PackedDiff>>;
  /** The engine's own findings. */
  readonly engine: readonly FindingDraft[];
}

export interface PackedDiff {
  readonly files: readonly { readonly path: string; readonly how: string }[];
  /** By file: first line and length of each changed range. */
  readonly hunks: Readonly<Record<string, readonly (readonly number[])[]>>;
}

export interface PastDebate {
  readonly debate: number;
  readonly came: Convergence;
  readonly decision: ReviewDecision | null;
  /** Implementations that were not judged in it. */
  readonly resting: readonly string[];
}

export type ReviewFailure = Pick<Failure, 'code' | 'message' | 'hint'> & Partial<Pick<Failure, 'class'>>;

export function newReviewState({
  reviewers,
  implementers,
  maxRounds,
}: Pick<ReviewTerms, 'reviewers' | 'implementers' | 'maxRounds'>): ReviewState {
  return {
    command: null,
    ledger: newLedger(reviewers, implementers, maxRounds),
    alive: [],
    lost: [],
    claims: {},
    units: [],
    evidence: {},
    pack: null,
    firstSizes: {},
    sizes: {},
    speaker: null,
    say: '',
    isNew: false,
    decision: null,
    pick: null,
    decidedIn: 0,
    debates: [],
    asked: null,
    synthesis: null,
    unmixed: '',
    orders: {},
    trees: {},
    revisions: 0,
    collisions: 0,
    collision: null,
    unusable: '',
    question: '',
    unverified: null,
    problem: null,
  };
}
