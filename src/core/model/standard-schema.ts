import { cleanJson } from '../evaluate/clean-json.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/**
 * What zod, valibot and others have in common: the Standard Schema interface, version 1. Declared here as its specification
 * recommends, so that no package is needed for it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Standard JSON Schema, for libraries that have it. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-07' }) => Record<string, unknown> };
  };
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type SchemaOutput<Schema> = Schema extends StandardSchema<unknown, infer Output> ? Output : never;

export const isStandardSchema = (value: unknown): value is StandardSchema =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value;

/** The schema as JSON Schema, or the sentence that says why there is none. */
export function jsonSchemaOf(schema: StandardSchema): JsonObject | string {
  const { vendor, jsonSchema } = schema['~standard'];
  if (jsonSchema === undefined) return `a schema of ${vendor} has no JSON Schema by itself`;
  try {
    const { $schema: _dialect, ...made } = jsonSchema.input({ target: 'draft-07' });
    const clean = cleanJson(made);
    return isJsonObject(clean) ? clean : 'its JSON Schema is no object';
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
  }
}

/** How to fix a schema that gives no JSON Schema. */
export const JSON_SCHEMA_HINT =
  'Troupe writes the schema down as JSON Schema. With zod 4.2 or newer that works by itself; wrap a schema of valibot in toStandardJsonSchema of @valibot/to-json-schema. Dates, transforms and classes have no JSON Schema.';

/** Where an issue is, as in `items.0.name`. */
export const issuePath = ({ path = [] }: SchemaIssue): string =>
  path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
