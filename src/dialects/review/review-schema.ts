import * as z from 'zod/mini';
import { aboveZero, freeText, nameText, wholeNumber } from '../source/schema-parts.ts';

/** The format of workflows in which many implement and some review (PD1–PD7). Types, checks and the editors' JSON Schema come from here. */

const describe = (text: string) => z.describe(text);

const mind = z.union(
  [
    nameText,
    z.strictObject({
      name: z.optional(nameText.check(describe('What it is called in this workflow.'))),
      model: z.optional(nameText.check(describe('A model of the settings, or its level: base, smart, fast.'))),
      actor: z.optional(nameText.check(describe('A client that plays it: claude-code, codex, acp:NAME.'))),
      role: z.optional(nameText.check(describe('A role of the project, instead of the shipped one.'))),
    }),
  ],
  { error: 'must be the name of a model, or {model, actor, name, role}' },
);

export const PICKS = ['ranking', 'tests', 'person', 'synthesis'] as const;

const count = (text: string) => z.optional(wholeNumber.check(describe(text)));

export const reviewFileSchema = z
  .strictObject({
    $schema: z.optional(freeText),
    name: nameText.check(describe('What the workflow is called.')),
    description: z.optional(freeText),
    implementers: z
      .array(mind)
      .check(z.minLength(1, { error: 'must name at least one model' }))
      .check(describe('Who implements it, all at the same time, each in files of its own.')),
    reviewers: z
      .array(mind)
      .check(z.minLength(2, { error: 'must name at least two models: one alone has nobody to agree with' }))
      .check(describe('Who reviews, first without knowing of each other, then in a debate.')),
    max_rounds: count('Rounds of the debate; 5 unless given.'),
    final_rounds: count('Rounds of the review after a revision; 3 unless given.'),
    max_revisions: z.optional(
      z
        .int({ error: 'must be a whole number, 0 or more' })
        .check(z.nonnegative({ error: 'must be a whole number, 0 or more' }))
        .check(describe('How often the work is revised; 2 unless given.')),
    ),
    quorum: count('How many implementations must come out well; 1 unless given.'),
    pick: z.optional(
      z
        .enum(PICKS, { error: `must be one of ${PICKS.join(', ')}` })
        .check(
          describe(
            "How the best one is found: by the reviewers' ranking (unless given), tests, a person, or a synthesis.",
          ),
        ),
    ),
    verify: z.optional(
      freeText.check(describe('A command the engine runs on every implementation and on the merge, such as npm test.')),
    ),
    protect: z.optional(
      z
        .array(freeText)
        .check(
          describe('Files of yours that the command counts on; an implementation that changes them is found out.'),
        ),
    ),
    timeout: z.optional(aboveZero.check(describe('Seconds for all implementations, and for each revision.'))),
    review_timeout: z.optional(
      aboveZero.check(describe('Seconds for the first reviews, and for each turn of the debate.')),
    ),
  })
  .check(z.meta({ id: 'review', description: 'Parallel implementations, review, debate and revision.' }));

export type ReviewDocument = z.infer<typeof reviewFileSchema>;
