import type { FaultCode } from '../../core/codes/codes.ts';
import { z } from 'zod';
import { Fault, type Problem } from '../../core/model/fault.ts';
import type { Json } from '../../core/model/json.ts';
import { issuePath, type StandardSchema } from '../../core/model/standard-schema.ts';
import { checkedRequest } from '../../protocol/checked-request.ts';

/** REQUEST_INVALID. */
export const libraryRequest = <Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> =>
  checkedRequest(schema, given, 'See docs/guide/library.md for what each method takes.');

/** The options of a method, and who acts, apart. Plain JavaScript can pass anything. */
export function optionsOf(given: unknown): {
  readonly by?: string;
  readonly wishes: Readonly<Record<string, unknown>>;
} {
  const { by, ...wishes } = libraryRequest(OPTIONS, given ?? {});
  return { ...(by === undefined ? {} : { by }), wishes };
}

const OPTIONS = z.looseObject({ by: z.string().optional() });

/** The options of a method that waits. */
export function waitingOf(given: unknown): { readonly signal?: AbortSignal; readonly from: 'start' | 'last' } {
  const { signal, from } = libraryRequest(WAITING, given ?? {});
  return { ...(signal === undefined ? {} : { signal }), from };
}

const WAITING = z.strictObject({
  signal: z.instanceof(AbortSignal).optional(),
  from: z.enum(['start', 'last']).default('start'),
});

/** The input as its schema gives it back, with defaults filled in. INPUT_INVALID names each value that is wrong. */
export async function inputBySchema(schema: StandardSchema | undefined, input: unknown): Promise<unknown> {
  return await bySchema(schema, input ?? {}, {
    what: 'input',
    code: 'INPUT_INVALID',
    message: 'The input does not fit the schema of the workflow.',
  });
}

/** The output of a run as the workflow's schema gives it back. OUTPUT_INVALID. */
export async function outputBySchema(schema: StandardSchema | undefined, output: Json): Promise<unknown> {
  return await bySchema(schema, output, {
    what: 'output',
    code: 'OUTPUT_INVALID',
    message: 'The run ended well, but its output does not fit the schema of the workflow.',
    hint: 'See what it gave: (await run.show()).output. Then correct the end of the workflow, or its schema.',
  });
}

interface Refusal {
  readonly what: 'input' | 'output';
  readonly code: FaultCode;
  readonly message: string;
  readonly hint?: string;
}

async function bySchema(
  schema: StandardSchema | undefined,
  value: unknown,
  { what, code, message, ...more }: Refusal,
): Promise<unknown> {
  const result = await schema?.['~standard'].validate(value);
  if (result === undefined) return value;
  if (result.issues === undefined) return result.value;
  const problems = result.issues.map((issue): Problem => {
    const path = [what, issuePath(issue)].filter((part) => part !== '').join('.');
    return { code, message: `${path}: ${issue.message}`, severity: 'error', path };
  });
  throw new Fault(code, message, { problems, ...more });
}
