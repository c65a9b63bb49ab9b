import * as z from 'zod/mini';
import { SIGNALS } from '../../../core/model/signal-name.ts';
import {
  describe,
  freeText,
  labelsKey,
  nameText,
  oneWordOf,
  optionalKey,
  optionalKeys,
  reportOverlapKey,
  wholeNumber,
} from '../../../source/schema-parts.ts';
import { QUEST_DUTIES, STEP_DUTIES } from '../rules/quest-table.ts';

/** The format of quests (Q1–Q9). Types, checks and the editors' JSON Schema come from here. */

const target = nameText.check(
  describe(
    'next: what comes after the role; continue: a new session of it; ask: a person; followup: the role that the signal names; give_up: the failure; or a role of the step.',
  ),
);

const routeSchema = z.union(
  [
    target,
    z.strictObject({
      to: target,
      tries: optionalKey(wholeNumber, 'How often it leads there; without it, always.'),
      failure: optionalKey(nameText, 'The code of the failure after that many tries.'),
      then: optionalKey(oneWordOf(['next']), 'What follows after that many tries, instead of a failure.'),
    }),
  ],
  { error: 'must be a place such as next, ask or a role, or {to, tries, failure}' },
);

const routesSchema = optionalKeys(SIGNALS, routeSchema);

const roleSchema = <const Duties extends readonly string[]>(duties: Duties, what: string) =>
  z.strictObject({
    does: oneWordOf(duties).check(describe(what)),
    context: optionalKey(nameText, 'The name of its conversation; by default that of the role.'),
    order: optionalKey(freeText, 'Its instructions.'),
    routes: routesSchema.check(describe('What each signal of the role leads to.')),
  });

const rolesSchema = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.record(nameText, schema, { error: 'must be a mapping of roles' });

const limitsSchema = z.strictObject({
  slots: optionalKey(wholeNumber, 'Steps at the same time (default 3).'),
  steps: optionalKey(wholeNumber, 'Steps of a plan (default 100).'),
  parts: optionalKey(wholeNumber, 'Parts of a step that is split (default 20).'),
  splits: optionalKey(wholeNumber, 'How often a part can be split again (default 3).'),
  corrections: optionalKey(wholeNumber, 'How often a role may correct its plan (default 3).'),
  followups: optionalKey(wholeNumber, 'Followups of followups within a step (default 4).'),
  fixes: optionalKey(wholeNumber, 'Fixes of what Ward finds on a step (default 3).'),
  whole_fixes: optionalKey(wholeNumber, 'Steps that fix what Ward finds on the whole (default 2).'),
  conflicts: optionalKey(wholeNumber, 'How often the author of a step settles its conflicts (default 3).'),
});

export const questFileSchema = z
  .strictObject({
    $schema: z.optional(freeText),
    name: nameText.check(describe('What the workflow is called; its steps are runs of NAME_step.')),
    description: z.optional(freeText),
    ward: optionalKey(
      z.array(freeText, { error: 'must be a list of commands' }),
      'The commands that must succeed. Left out, those of the settings, or what the project checks itself with.',
    ),
    limits: optionalKey(limitsSchema, 'Numbers of the whole quest.'),
    labels: labelsKey,
    report_overlap: reportOverlapKey,
    quest: rolesSchema(roleSchema(QUEST_DUTIES, 'What the role hands in for the whole.')).check(
      describe('The roles that work for the whole, and where their signals lead.'),
    ),
    step: rolesSchema(
      roleSchema(STEP_DUTIES, 'What the role does in a step; help: only where another one asks for it.'),
    ).check(describe('The roles of a step, and where their signals lead.')),
  })
  .check(
    z.meta({ id: 'quest', description: 'Requirements, a plan of steps, the steps in slots, a review of the whole.' }),
  );

export type QuestDocument = z.infer<typeof questFileSchema>;
