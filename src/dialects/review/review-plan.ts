import type { Position } from '../../core/fault.ts';
import type { ReviewDocument } from './review-schema.ts';

/** A review workflow with everything filled in that its author left out. */
export interface ReviewPlan {
  readonly name: string;
  readonly description: string;
  readonly file?: string;
  readonly implementers: readonly Mind[];
  readonly reviewers: readonly Mind[];
  readonly maxRounds: number;
  readonly finalRounds: number;
  readonly maxRevisions: number;
  readonly quorum: number;
  readonly pick: NonNullable<ReviewDocument['pick']>;
  readonly verify: string;
  readonly protect: readonly string[];
  readonly timeoutMs: number | null;
  readonly reviewTimeoutMs: number | null;
}

/** Somebody who takes part. */
export interface Mind {
  readonly id: string;
  readonly model?: string | undefined;
  readonly actor?: string | undefined;
  readonly role?: string | undefined;
  readonly at?: Position | undefined;
}

/** The numbers of the founding document (PD6). */
const DEFAULTS = { maxRounds: 5, finalRounds: 3, maxRevisions: 2, quorum: 1, pick: 'ranking' } as const;

const CLIENT = /^(?:claude-code|codex|human|acp:.+)$/;

export function reviewPlan(
  document: ReviewDocument,
  around: {
    readonly file?: string;
    readonly placeOf?: (list: 'implementers' | 'reviewers', index: number) => Position | undefined;
  } = {},
): ReviewPlan {
  const { file, placeOf = () => undefined } = around;
  const minds = (list: 'implementers' | 'reviewers', prefix: string): readonly Mind[] =>
    document[list].map((one, index) => {
      const given = typeof one === 'string' ? nameAlone(one) : one;
      return {
        id: given.name ?? `${prefix}_${index + 1}`,
        model: given.model,
        actor: given.actor,
        role: given.role,
        at: placeOf(list, index),
      };
    });
  const ms = (seconds: number | undefined): number | null =>
    seconds === undefined ? null : Math.round(seconds * 1000);
  return {
    name: document.name,
    description: document.description ?? '',
    ...(file === undefined ? {} : { file }),
    implementers: minds('implementers', 'impl'),
    reviewers: minds('reviewers', 'rev'),
    maxRounds: document.max_rounds ?? DEFAULTS.maxRounds,
    finalRounds: document.final_rounds ?? DEFAULTS.finalRounds,
    maxRevisions: document.max_revisions ?? DEFAULTS.maxRevisions,
    quorum: document.quorum ?? DEFAULTS.quorum,
    pick: document.pick ?? DEFAULTS.pick,
    verify: document.verify ?? '',
    protect: document.protect ?? [],
    timeoutMs: ms(document.timeout),
    reviewTimeoutMs: ms(document.review_timeout),
  };
}

/** A word alone is a client where it is the name of one, else a model. */
const nameAlone = (
  word: string,
): { readonly name?: string; readonly model?: string; readonly actor?: string; readonly role?: string } =>
  CLIENT.test(word) ? { actor: word } : { model: word };
