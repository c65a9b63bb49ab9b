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
const DEFAULTS = { max_rounds: 5, final_rounds: 3, max_revisions: 2, quorum: 1, pick: 'ranking' } as const;

const CLIENT = /^(?:claude-code|codex|human|acp:.+)$/;

type List = 'implementers' | 'reviewers';

interface Around {
  readonly file?: string;
  readonly placeOf?: (list: List, index: number) => Position | undefined;
}

export function reviewPlan(document: ReviewDocument, { file, placeOf = () => undefined }: Around = {}): ReviewPlan {
  const { name, description = '', verify = '', protect = [], timeout, review_timeout: reviewTimeout } = document;
  const minds = (list: List, prefix: string): readonly Mind[] =>
    document[list].map((one, index) => {
      const given = typeof one === 'string' ? nameAlone(one) : one;
      return { ...given, id: given.name ?? `${prefix}_${index + 1}`, at: placeOf(list, index) };
    });
  const bounds = boundsOf(document);
  return {
    name,
    description,
    ...(file === undefined ? {} : { file }),
    implementers: minds('implementers', 'impl'),
    reviewers: minds('reviewers', 'rev'),
    maxRounds: bounds.max_rounds,
    finalRounds: bounds.final_rounds,
    maxRevisions: bounds.max_revisions,
    quorum: bounds.quorum,
    pick: bounds.pick,
    verify,
    protect,
    timeoutMs: milliseconds(timeout),
    reviewTimeoutMs: milliseconds(reviewTimeout),
  };
}

type Bounds = Required<Pick<ReviewDocument, keyof typeof DEFAULTS>>;

function boundsOf(document: ReviewDocument): { readonly [Key in keyof Bounds]: NonNullable<Bounds[Key]> } {
  const or = <T>(value: T | undefined, otherwise: T): T => value ?? otherwise;
  return {
    max_rounds: or(document.max_rounds, DEFAULTS.max_rounds),
    final_rounds: or(document.final_rounds, DEFAULTS.final_rounds),
    max_revisions: or(document.max_revisions, DEFAULTS.max_revisions),
    quorum: or(document.quorum, DEFAULTS.quorum),
    pick: or<NonNullable<ReviewDocument['pick']>>(document.pick, DEFAULTS.pick),
  };
}

const milliseconds = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Math.round(seconds * 1000);

/** A word alone is a client where it is the name of one, else a model. */
const nameAlone = (
  word: string,
): { readonly name?: string; readonly model?: string; readonly actor?: string; readonly role?: string } =>
  CLIENT.test(word) ? { actor: word } : { model: word };
