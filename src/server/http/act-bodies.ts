import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import { oddStartOption, START_OPTIONS } from './start-options.ts';

// What is sent to act on a run: an `Action` without its kind and run, which are in the path. They are the command line's own
// words, so what they may be is checked there; here only their shape.

/** A body was JSON before it came here. */
const json = z.custom<Json>();
const text = z.string().max(1_000_000);
const line = z.string().min(1).max(10_000);
const input = z.record(z.string().regex(/^[^=\s][^=]*$/), json);

const startOptions = z
  .array(line)
  .max(64)
  .refine((words) => oddStartOption(words) === null, {
    error: ({ input: given }) =>
      `"${oddStartOption(given as readonly string[])}" cannot be said here. There are ${START_OPTIONS.join(', ')}; a value that begins with "-" is joined by "=".`,
  })
  .describe('Further options of `troupe run`, such as --max-usd 2');

export const startBody = z
  .strictObject({
    workflow: line.describe('A name, or a file with #name'),
    input: input.default({}),
    options: startOptions.exactOptional(),
  })
  .describe('troupe run WORKFLOW');

export const answerBody = z
  .strictObject({
    question: line.describe('Its name or id'),
    text,
    files: line.exactOptional().describe('The mark of the question; refused (ANSWER_VOID) once the files have changed'),
  })
  .describe('troupe answer RUN QUESTION TEXT');

export const tellBody = z.strictObject({ agent: line, text }).describe('troupe tell RUN AGENT TEXT');

export const reasonBody = z.strictObject({ reason: line.exactOptional() }).describe('With --reason');

export const resumeBody = z
  .strictObject({
    definition: z.enum(['started', 'new']).exactOptional(),
    limits: z
      .partialRecord(z.enum(['usd', 'tokens', 'duration', 'iterations', 'tool-rounds']), z.number().positive())
      .exactOptional(),
  })
  .describe('troupe resume RUN');

export const forkBody = z
  .strictObject({
    at: line.describe('A record, a state, state#2 for its second visit, or start'),
    input: input.exactOptional(),
    title: line.exactOptional(),
    tell: z
      .strictObject({ agent: line, text })
      .exactOptional()
      .describe('What an agent of it is told before anything else happens'),
  })
  .describe('troupe fork RUN --at STEP');

const target = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('branch'), name: line.exactOptional() }),
  z.strictObject({ kind: z.literal('patch'), file: line }),
  z.strictObject({ kind: z.literal('apply') }),
]);

export const mergeBody = z
  .strictObject({
    workspace: line.exactOptional(),
    to: target,
    verify: line.exactOptional(),
    ours: z.array(line).max(1000).exactOptional(),
    theirs: z.array(line).max(1000).exactOptional(),
    allow: z
      .array(z.enum(['unverified', 'conflicts', 'steering']))
      .max(3)
      .exactOptional(),
  })
  .describe('troupe merge RUN');

export const rollbackBody = z
  .strictObject({
    to: line,
    only: z.enum(['files', 'conversation']).exactOptional(),
    isPreview: z.boolean().exactOptional().describe('Only say what would go back'),
  })
  .describe('troupe rollback RUN --to STEP');
