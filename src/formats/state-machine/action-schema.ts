import * as z from 'zod/mini';
import { APPROVES } from '../../core/record/question-fact.ts';
import {
  describe,
  flagSchema,
  freeText,
  holdsList,
  nameText,
  oneWordOf,
  optionalKey,
  wholeNumber,
  reportOverlapKey,
} from '../../source/schema-parts.ts';

/** The actions of a state as authors write them: `action` in the files. */

export const codeText = freeText.check(
  describe("An expression, such as common_data.task or 'Do: ' + common_data.task. A fixed text needs its own quotes."),
);
export const scriptText = freeText.check(
  describe('JavaScript: statements, () => { … } or executionContext => { … }. It may change this.common_data.'),
);

const commandSchema = z.strictObject({
  run: codeText,
  ok_exit_codes: optionalKey(
    z
      .array(z.int({ error: 'must be a whole number' }), { error: 'must be a list of whole numbers' })
      .check(z.minLength(1, { error: 'must name at least one exit code' })),
    'Exit codes that count as ok; 0 alone by default.',
  ),
  agent: optionalKey(nameText, "The agent in whose workspace it runs; the run's own by default."),
  network: optionalKey(flagSchema, 'It reaches the network; off by default.'),
  holds: optionalKey(holdsList, 'Resources that only one may use at a time, held while it runs.'),
  repeat: optionalKey(
    z.enum(['safe', 'unsafe'], { error: 'must be "safe" or "unsafe"' }),
    'unsafe: never run again after a crash; its outcome is then reported as unknown.',
  ),
});

const mergeSchema = z.strictObject({
  agent: optionalKey(
    nameText,
    'Whose workspace is brought into the one of the run. Left out: that of this run goes to the run that called it.',
  ),
  unit: optionalKey(
    freeText,
    'Instead of an agent: an expression that gives the id of a unit of an earlier pool, whose own workspace is brought in.',
  ),
  verify: optionalKey(
    freeText,
    "An expression that gives a command or a list of commands, which must succeed on the merged files first. Where it gives none, the project's own tests must not turn red by joining parallel work.",
  ),
  checks: optionalKey(
    freeText,
    "An expression that gives a list of commands that succeed on the author's files alone: they must succeed on the merged files too.",
  ),
  report_overlap: reportOverlapKey,
});

const askSchema = z.strictObject({
  question: codeText,
  choices: optionalKey(
    z.union([z.array(nameText).check(z.minLength(1, { error: 'must name at least one choice' })), freeText], {
      error: 'must be a list of texts, or an expression that gives one',
    }),
    'What may be answered; anything by default. An expression gives a list of texts, or of objects with answer, label, description and workspace.',
  ),
  approves: optionalKey(
    z.enum(APPROVES, { error: 'must be as-asked or as-answered' }),
    'Only a person answers, also where any text may be answered: for the files when it was asked, or for those at the answer. A question with choices is as-asked by default.',
  ),
});

const poolSchema = z.strictObject({
  items: freeText.check(
    describe(
      'An expression that gives a list. An item may have its own "id", "after" (ids it waits for) and "part_of".',
    ),
  ),
  workflow: nameText.check(describe('The workflow that is run once for each item.')),
  input: optionalKey(
    z.record(nameText, codeText, { error: 'must be a mapping of input names to expressions' }),
    'For each input of the workflow the expression that gives it; "item" and "index" are known.',
  ),
  slots: optionalKey(wholeNumber, 'How many run at the same time; 3 by default.'),
  workspace: optionalKey(
    z.literal('own', { error: 'must be "own", or be left out' }),
    'Each has its own workspace, which its own merge brings home.',
  ),
  grow: optionalKey(
    freeText,
    'An expression asked after each run, with "item", "unit", "result" and "outcome": a list of further items.',
  ),
  join: optionalKey(
    z.union(
      [
        z.enum(['all', 'any', 'first']),
        z.strictObject({ quorum: wholeNumber.check(describe('How many must come out ok.')) }),
      ],
      { error: 'must be all, any, first or {quorum: NUMBER}' },
    ),
    'How many must come out ok; all by default. The others need "on: {partial: …}".',
  ),
});

const diffSchema = z.strictObject({
  agent: optionalKey(nameText, "The agent whose workspace is looked at; the run's own by default."),
  tests: optionalKey(flagSchema, 'The engine also runs the commands that test the project, and adds their results.'),
});

export const actionSchema = z.strictObject({
  function: optionalKey(
    oneWordOf(['sendUserMessage', 'addUserMessage', 'clearConversation', 'script']),
    'sendUserMessage: the agent answers. addUserMessage: it only gets the message. clearConversation: it forgets. script: only the script runs.',
  ),
  script: z.optional(scriptText),
  sub_workflow: optionalKey(nameText, 'Another workflow, run to its end in isolation.'),
  sub_workflow_input: optionalKey(
    z.record(nameText, codeText, { error: 'must be a mapping of input names to expressions' }),
    'For each input of the sub-workflow the expression that gives it.',
  ),
  sub_workflow_workspace: optionalKey(
    z.literal('own', { error: 'must be "own", or be left out' }),
    'Its agents share a workspace made for them, which its own merge brings home.',
  ),
  command: optionalKey(commandSchema, 'The engine runs a command, such as the tests.'),
  merge: optionalKey(mergeSchema, 'The files of a workspace are brought home.'),
  ask: optionalKey(askSchema, 'A person is asked; the answer is the result.'),
  pool: optionalKey(poolSchema, 'A workflow is run for each item of a list, several at the same time.'),
  diff: optionalKey(
    diffSchema,
    'The result is what a workspace holds that it did not begin with, as the text of a diff.',
  ),
});

export type CommandDocument = z.infer<typeof commandSchema>;
export type MergeDocument = z.infer<typeof mergeSchema>;
export type ActionDocument = z.infer<typeof actionSchema>;
export type AskDocument = z.infer<typeof askSchema>;
export type DiffDocument = z.infer<typeof diffSchema>;
export type PoolDocument = z.infer<typeof poolSchema>;
