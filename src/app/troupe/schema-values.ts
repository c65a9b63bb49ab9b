import { Fault, type Problem } from '../../core/fault.ts';
import type { Json } from '../../core/json.ts';
import { issuePath, type SchemaIssue, type StandardSchema } from '../../core/standard-schema.ts';

/** The input as its schema gives it back, with defaults filled in. INPUT_INVALID names each value that is wrong. */
export async function inputBySchema(schema: StandardSchema | undefined, input: unknown): Promise<unknown> {
  if (schema === undefined) return input;
  const result = await schema['~standard'].validate(input ?? {});
  if (result.issues === undefined) return result.value;
  throw new Fault('INPUT_INVALID', 'The input does not fit the schema of the workflow.', {
    problems: result.issues.map((issue) => problemOf(issue, 'input')),
  });
}

/** The output of a run as the workflow's schema gives it back. OUTPUT_INVALID. */
export async function outputBySchema(schema: StandardSchema | undefined, output: Json): Promise<unknown> {
  if (schema === undefined) return output;
  const result = await schema['~standard'].validate(output);
  if (result.issues === undefined) return result.value;
  throw new Fault('OUTPUT_INVALID', 'The run ended well, but its output does not fit the schema of the workflow.', {
    problems: result.issues.map((issue) => problemOf(issue, 'output')),
    hint: 'See what it gave: (await run.show()).output. Then correct the end of the workflow, or its schema.',
  });
}

function problemOf(issue: SchemaIssue, what: 'input' | 'output'): Problem {
  const path = [what, issuePath(issue)].filter((part) => part !== '').join('.');
  const code = what === 'input' ? 'INPUT_INVALID' : 'OUTPUT_INVALID';
  return { code, message: `${path}: ${issue.message}`, severity: 'error', path };
}
