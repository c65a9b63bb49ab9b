import * as z from 'zod/mini';
import {
  aboveZero,
  describe,
  freeText,
  labelsKey,
  nameText,
  oneWordOf,
  openRecord,
  optionalKey,
  reportOverlapKey,
  wholeNumber,
} from '../../../source/schema-parts.ts';

/** The format of phase files (PH1, PH2). Types, checks and the editors' JSON Schema all come from here. */

export const MODES = ['PLANNING', 'EXECUTION', 'VERIFICATION', 'FIX', 'RESEARCH', 'ORCHESTRATION'] as const;

const phaseId = nameText.check(
  z.regex(/^[A-Za-z_][A-Za-z0-9_-]{0,39}$/, { error: 'must be letters, digits, dashes and underscores, at most 40' }),
);

const inputNames = z.union(
  [
    z.array(nameText),
    z.record(
      nameText,
      z.union([
        freeText,
        z.strictObject({
          description: z.optional(freeText),
          required: z.optional(z.boolean({ error: 'must be true or false' })),
          default: z.optional(z.unknown()),
        }),
      ]),
    ),
  ],
  { error: 'must be a list of names, or a mapping of names to descriptions' },
);

const criterion = z.union(
  [
    freeText,
    z.strictObject({ command: freeText.check(describe('A command that the engine runs; it must succeed.')) }),
    z.strictObject({ files: z.array(freeText).check(describe('Paths that must exist.')) }),
  ],
  { error: 'must be a sentence, {command: …} or {files: […]}' },
);

const errorsSchema = z
  .strictObject({
    timeout_retries: optionalKey(
      z
        .int({ error: 'must be a whole number, 0 or more' })
        .check(z.nonnegative({ error: 'must be a whole number, 0 or more' })),
      'How often a phase that ran out of time is started again; 1 by default.',
    ),
    tool_tries: optionalKey(
      wholeNumber,
      'How often a tool that failed for a passing reason is tried in all; 3 by default.',
    ),
    fix_rounds: optionalKey(wholeNumber, 'Rounds of a fix that names no max_iterations; 3 by default.'),
  })
  .check(describe('What is done when something goes wrong (PH6).'));

const phaseFields = {
  agent_type: nameText.check(
    describe('planning, execution, verification, fix, research, orchestrator, or your own type.'),
  ),
  mode: optionalKey(oneWordOf(MODES), 'What its tools may do; that of its type by default.'),
  timeout: optionalKey(aboveZero, 'In seconds.'),
  condition: optionalKey(
    z.union([freeText, z.boolean()], { error: 'must be an expression, such as "${review.output.report.failed > 0}"' }),
    'The phase is skipped where it does not hold.',
  ),
  max_iterations: optionalKey(
    wholeNumber,
    'With a condition: the phase and those it depends on are repeated until it no longer holds, at most so often.',
  ),
  input: z.optional(z.union([freeText, openRecord], { error: 'must be a text or a mapping' })),
  output: optionalKey(openRecord, 'Outputs by name: a path, a list of paths or patterns, [] for whatever changes.'),
  instructions: optionalKey(freeText, 'The prompt of the agent besides its input.'),
  success_criteria: optionalKey(z.array(criterion), 'What must hold at the end.'),
  context: optionalKey(openRecord, 'Goes along with the handoff.'),
  actor: optionalKey(nameText, 'Who plays it instead of whom its type names: claude-code, codex, acp:NAME.'),
  fallback: optionalKey(z.array(nameText), 'Agent types that take over when it fails, in order.'),
};

export const phaseSchema = z.strictObject({
  id: phaseId.check(describe('Its name in depends_on and in templates.')),
  depends_on: z.optional(z.array(nameText, { error: 'must be a list of phases' })),
  ...phaseFields,
});

export const aggregationSchema = z.strictObject({ id: z.optional(phaseId), ...phaseFields });

const head = {
  $schema: z.optional(freeText),
  name: nameText.check(describe('What the workflow is called.')),
  description: z.optional(freeText),
  labels: labelsKey,
  inputs: optionalKey(inputNames, 'Inputs besides user_request and feature_name.'),
  errors: z.optional(errorsSchema),
  on_failure: optionalKey(
    z.enum(['rollback', 'keep'], { error: 'must be "rollback" or "keep"' }),
    'What becomes of the files after a critical error; put back by default.',
  ),
  report_overlap: reportOverlapKey,
  max_parallel: optionalKey(wholeNumber, 'How many phases run at the same time; all that can by default.'),
};

export const phasesSchema = z
  .strictObject({
    ...head,
    phases: z.array(phaseSchema).check(z.minLength(1, { error: 'must have at least one phase' })),
  })
  .check(z.meta({ id: 'phases', description: 'Phases with dependencies.' }));

export const parallelSchema = z
  .strictObject({
    ...head,
    orchestration: z.strictObject({
      type: z.literal('parallel', { error: 'must be "parallel"' }),
      aggregation: z.optional(z.enum(['required', 'optional'], { error: 'must be "required" or "optional"' })),
      parallel_agents: z.array(phaseSchema).check(z.minLength(1, { error: 'must have at least one agent' })),
      aggregation_phase: z.optional(aggregationSchema),
    }),
  })
  .check(z.meta({ id: 'parallel', description: 'Agents side by side, and one that brings their work together.' }));

export const simpleSchema = z
  .strictObject({
    ...head,
    workflow: z.literal('simple_execution', { error: 'must be "simple_execution"' }),
    agent: nameText,
    input: openRecord,
    timeout: z.optional(aboveZero),
  })
  .check(z.meta({ id: 'simple', description: 'One agent, where it is sure what to do where; else all phases.' }));

export const agentFileSchema = z
  .strictObject({
    ...head,
    name: z.optional(head.name),
    agent: z.strictObject({
      type: nameText,
      mode: phaseFields.mode,
      timeout: phaseFields.timeout,
      actor: phaseFields.actor,
      input: phaseFields.input,
      output: phaseFields.output,
    }),
  })
  .check(z.meta({ id: 'agent', description: 'One agent alone.' }));

export const phasesFileSchema = z.union([phasesSchema, parallelSchema, simpleSchema, agentFileSchema]);

export type PhaseDocument = z.infer<typeof phaseSchema>;
export type HeadDocument = Partial<Omit<z.infer<typeof phasesSchema>, 'phases'>>;
export type CriterionDocument = z.infer<typeof criterion>;
