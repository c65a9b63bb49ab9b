import type { Decision } from '../../../core/model/decision.ts';
import type { Json } from '../../../core/model/json.ts';
import type { Failure, Outcome } from '../../../core/model/outcome.ts';
import type { ChangeSize } from './change-size.ts';
import type { CommandEvidence, ImplementationEnd, ReviewPack, ReviewState } from './review-state.ts';
import type { GatheredReply } from './take-reply.ts';

/** An event in a review, with everything that the host looked up for it. */
export type ReviewEvent =
  | { readonly kind: 'started' }
  | CommandTried
  /** A person said what to do about a command that cannot be run. */
  | { readonly kind: 'command answered'; readonly answer: string }
  | Implemented
  | { readonly kind: 'verified'; readonly evidence: Readonly<Record<string, CommandEvidence>> }
  | Packed
  | { readonly kind: 'replied'; readonly replies: readonly GatheredReply[] }
  /** Left out: nothing new of that kind. */
  | { readonly kind: 'deciding'; readonly asked?: Json; readonly synthesis?: Json; readonly unmixed?: string }
  | { readonly kind: 'shown'; readonly text: string }
  | RevisionOrders
  | Revised
  | Unmerged
  /** The author resolved a conflict; lists its changes to the command's own files. */
  | { readonly kind: 'settled'; readonly tampered: readonly string[] }
  | { readonly kind: 'collision answered'; readonly answer: string };

export interface Implemented {
  readonly kind: 'implemented';
  readonly units: readonly ImplementationEnd[];
  /** What each author says about its implementation. */
  readonly claims: Readonly<Record<string, string>>;
}

export interface Revised extends Pick<Implemented, 'claims'> {
  readonly kind: 'revised';
}

/** The events that need nothing but how the state before ended. */
export const NEXT_EVENTS = [
  'command answered',
  'implemented',
  'verified',
  'deciding',
  'revised',
  'unmerged',
  'collision answered',
] as const satisfies readonly ReviewEvent['kind'][];

export type NextEvent = (typeof NEXT_EVENTS)[number];

/** The command ran on the untouched project. */
export interface CommandTried {
  readonly kind: 'tried';
  /** Why it cannot be run; null where it can. */
  readonly unusable: string | null;
}

export interface Packed {
  readonly kind: 'packed';
  readonly pack: ReviewPack;
  /** How much each changes in all, also after a revision. */
  readonly sizes: Readonly<Record<string, ChangeSize>>;
  /** After a revision, by finding: whether the place that it names was changed. */
  readonly touched: Readonly<Record<string, boolean>>;
}

export interface RevisionOrders {
  readonly kind: 'ordered';
  readonly orders: Readonly<Record<string, string>>;
  readonly trees: Readonly<Record<string, string>>;
}

/** The merge of the winner did not succeed. */
export interface Unmerged {
  readonly kind: 'unmerged';
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  readonly advice: string | null;
  /** The paths in conflict. */
  readonly paths: readonly string[];
}

/** The state of the workflow that follows an event. */
export type ReviewPlace =
  | 'try_verify'
  | 'ask_verify'
  | 'unusable'
  | 'implement'
  | 'verify'
  | 'pack'
  | 'review'
  | 'debate'
  | 'decide'
  | 'ask'
  | 'show'
  | 'synthesise'
  | 'hybrid'
  | 'orders'
  | 'revise'
  | 'merge'
  | 'settle'
  | 'collide'
  | 'partial'
  | 'blocked'
  | 'failed';

export type ReviewStep = Decision<ReviewState, { readonly go: ReviewPlace }>;
