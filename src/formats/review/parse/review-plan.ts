import * as z from 'zod/mini';
import type { Position } from '../../../core/model/fault.ts';
import type { Cast } from '../../../core/model/workflow.ts';
import {
  aboveZero,
  describe,
  freeText,
  labelsKey,
  nameText,
  oneWordOf,
  optionalKey,
  wholeNumber,
} from '../../../source/schema-parts.ts';
import type { PlacedAgent } from '../../../source/model-parts.ts';
import type { ReviewTerms } from '../rules/review-state.ts';

/** The format of workflows in which many implement and some review (PD1–PD7). Types, checks and the editors' JSON Schema come from here. */

const mind = z.union(
  [
    nameText,
    z.strictObject({
      name: optionalKey(nameText, 'What it is called in this workflow.'),
      model: optionalKey(nameText, 'A model of the settings, or its level: base, smart, fast.'),
      actor: optionalKey(nameText, 'A client that plays it: claude-code, codex, acp:NAME.'),
      role: optionalKey(nameText, 'A role of the project, instead of the shipped one.'),
    }),
  ],
  { error: 'must be the name of a model, or {model, actor, name, role}' },
);

export const PICKS = ['ranking', 'tests', 'person', 'synthesis'] as const;

const count = (text: string) => optionalKey(wholeNumber, text);

export const reviewFileSchema = z
  .strictObject({
    $schema: z.optional(freeText),
    name: nameText.check(describe('What the workflow is called.')),
    description: z.optional(freeText),
    labels: labelsKey,
    implementers: z
      .array(mind)
      .check(z.minLength(1, { error: 'must name at least one model' }))
      .check(describe('Who implements it, all at the same time, each in its own files.')),
    reviewers: z
      .array(mind)
      .check(z.minLength(2, { error: 'must name at least two models: one alone cannot agree' }))
      .check(describe('Who reviews, first without knowing of each other, then in a debate.')),
    max_rounds: count('Rounds of the debate; 5 by default.'),
    final_rounds: count('Rounds of the review after a revision; 3 by default.'),
    max_revisions: optionalKey(
      z
        .int({ error: 'must be a whole number, 0 or more' })
        .check(z.nonnegative({ error: 'must be a whole number, 0 or more' })),
      'How often the work is revised; 2 by default.',
    ),
    quorum: count('How many implementations must come out well; 1 by default.'),
    pick: optionalKey(
      oneWordOf(PICKS),
      "How the best one is found: by the reviewers' ranking (by default), tests, a person, or a synthesis.",
    ),
    verify: optionalKey(
      freeText,
      'A command the engine runs on every implementation and on the merge, such as npm test.',
    ),
    protect: optionalKey(
      z.array(freeText),
      'Files of yours that the command counts on; an implementation that changes them is found out.',
    ),
    timeout: optionalKey(aboveZero, 'Seconds for all implementations, and for each revision.'),
    review_timeout: optionalKey(aboveZero, 'Seconds for the first reviews, and for each turn of the debate.'),
  })
  .check(z.meta({ id: 'review', description: 'Parallel implementations, review, debate and revision.' }));

type ReviewDocument = z.infer<typeof reviewFileSchema>;

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

/** A participant. */
interface Mind {
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

/** For the rules, which go by names alone. */
export function reviewTerms(plan: ReviewPlan): ReviewTerms {
  const { maxRounds, finalRounds, maxRevisions, quorum, pick, protect } = plan;
  const implementers = plan.implementers.map(({ id }) => id);
  const reviewers = plan.reviewers.map(({ id }) => id);
  return { implementers, reviewers, maxRounds, finalRounds, maxRevisions, quorum, pick, protect };
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

/** Brings together what reviewers do not agree on. */
export const SYNTHESISER = 'synthesiser';

/** Whose files are made of those of several. */
export const HYBRID = 'hybrid';

/** `review.pack` fills it with the files of all implementers. */
const REVIEW = 'review';

interface Player {
  readonly id: string;
  readonly workspace: string;
  /** The role it is made from. */
  readonly of: string;
  readonly mind: Mind | undefined;
}

/** Each agent has its own conversation; reviewers share a workspace with all implementations side by side. */
function playersOf({ implementers, reviewers }: ReviewPlan): readonly Player[] {
  return [
    ...implementers.map((mind) => ({ id: mind.id, workspace: 'own', of: mind.role ?? 'implementer', mind })),
    ...reviewers.map((mind) => ({ id: mind.id, workspace: REVIEW, of: mind.role ?? 'peer_reviewer', mind })),
    { id: SYNTHESISER, workspace: REVIEW, of: 'synthesiser', mind: reviewers[0] },
    // It never speaks, and needs no further actor.
    { id: HYBRID, workspace: 'own', of: implementers[0]?.role ?? 'implementer', mind: implementers[0] },
  ];
}

export const contextsOf = (plan: ReviewPlan) =>
  playersOf(plan).map(({ id }) => ({ name: id, startingMessages: [], maxLength: 400_000 }));

export function agentsOf(plan: ReviewPlan): readonly PlacedAgent[] {
  return playersOf(plan).map(({ id, workspace, mind }) => ({
    name: id,
    role: id,
    context: id,
    side: 'assistant',
    workspace,
    ...(workspace === REVIEW ? { folders: plan.implementers.map((implementer) => implementer.id) } : {}),
    ...(mind?.actor === undefined ? {} : { actor: mind.actor }),
    ...(mind?.at === undefined ? {} : { at: mind.at }),
  }));
}

export function castsOf(plan: ReviewPlan): Readonly<Record<string, Cast>> {
  return Object.fromEntries(
    playersOf(plan).map(({ id, of, mind }) => [
      id,
      { of, change: mind?.model === undefined ? {} : { level: mind.model } },
    ]),
  );
}
