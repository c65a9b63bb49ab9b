import type { core } from 'zod/mini';
import type { Json } from '../core/model/json.ts';
import { closestName, nameHint } from './closest-name.ts';
import type { ProblemReport } from './problem-report.ts';
import type { SourcePath } from './place.ts';

/** What the schemas of a document say about the mapping at one path of it. */
export interface SchemaPlace {
  /** Schemas that fit the document; of a union whose options differ in a key, the option that the document chose. */
  readonly fitting: readonly Schema[];
  /** Options of such unions, also those that the document did not choose. */
  readonly options: readonly Option[];
}

/** One option of a union whose options differ in a key. */
interface Option {
  readonly schema: Schema;
  /** The key, such as `provider`, and the values of it that choose this option. */
  readonly key: string;
  readonly values: readonly unknown[];
}

function schemaPlace(check: { readonly schema: Schema; readonly document: Json }, path: SourcePath): SchemaPlace {
  let reached: readonly Schema[] = [check.schema];
  for (const [depth, step] of path.entries()) {
    const value = valueAt(check.document, path.slice(0, depth));
    reached = reached.flatMap((one) => unwrap(one, value)).flatMap((one) => inside(one, step));
  }
  const value = valueAt(check.document, path);
  return {
    fitting: reached.flatMap((one) => unwrap(one, value)),
    options: reached.flatMap((one) => unwrapOnce(one)).flatMap(optionsOf),
  };
}

/** For a key that is not known at this place: where it belongs, or the known key that was probably meant. */
function keyHint(key: string, { fitting, options }: SchemaPlace): string | undefined {
  const elsewhere = options.filter(({ schema }) => unwrap(schema, undefined).flatMap(shapeKeys).includes(key));
  const [first] = elsewhere;
  if (first !== undefined) {
    const values = elsewhere.flatMap((option) => option.values).join(', ');
    return `It belongs where "${first.key}" is one of ${values}.`;
  }
  // The options of a union share keys.
  return nameHint(
    key,
    [...new Set(fitting.flatMap(shapeKeys))].filter((one) => one !== key),
  );
}

function valueAt(document: Json, path: SourcePath): Json | undefined {
  let value: Json | undefined = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.hasOwn(value, step) ? (value as Record<string | number, Json>)[step] : undefined;
  }
  return value;
}

function inside(schema: Schema, step: string | number): readonly Schema[] {
  const { def } = (schema as core.$ZodTypes)._zod;
  if (def.type === 'array') return [def.element];
  if (def.type === 'record') return [def.valueType];
  if (def.type !== 'object') return [];
  const member = def.shape[step];
  return member === undefined ? [] : [member];
}

/** A schema without the wrappers around it; a union is its options, or the one that the value chose. */
function unwrap(schema: Schema, value: Json | undefined): readonly Schema[] {
  return unwrapOnce(schema).flatMap((one) => {
    const { def } = (one as core.$ZodTypes)._zod;
    if (def.type !== 'union') return [one];
    const chosen = optionsOf(one).filter((option) => isChosen(option, value));
    const options = chosen.length > 0 ? chosen.map((option) => option.schema) : def.options;
    return options.flatMap((option) => unwrap(option, value));
  });
}

const isChosen = ({ key, values }: Option, value: Json | undefined): boolean =>
  values.includes(valueAt(value ?? null, [key]));

/** The same, and a union stays as it is. */
function unwrapOnce(schema: Schema): readonly Schema[] {
  const { def } = (schema as core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'default') return unwrapOnce(def.innerType);
  if (def.type === 'pipe') return [...unwrapOnce(def.in), ...unwrapOnce(def.out)];
  if (def.type === 'lazy') return unwrapOnce(def.getter());
  return [schema];
}

function optionsOf(schema: Schema): readonly Option[] {
  const { def } = (schema as core.$ZodTypes)._zod;
  if (def.type !== 'union' || !('discriminator' in def) || typeof def.discriminator !== 'string') return [];
  const key = def.discriminator;
  return def.options.map((option) => ({ schema: option, key, values: [...(option._zod.propValues?.[key] ?? [])] }));
}

function shapeKeys(schema: Schema): readonly string[] {
  const { def } = (schema as core.$ZodTypes)._zod;
  return def.type === 'object' ? Object.keys(def.shape) : [];
}

type Schema = core.$ZodType;

export interface SchemaCheck {
  readonly schema: Schema;
  readonly document: Json;
  /** Where the document stands in its file, when it is a part of it. */
  readonly base?: SourcePath;
}

/**
 * Reports the findings of a schema in the author's terms. A schema's own messages are the ends of sentences, such as "must
 * be a whole number above 0"; they follow the name of the key.
 */
export function reportIssues(issues: readonly core.$ZodIssue[], check: SchemaCheck, report: ProblemReport): void {
  for (const issue of issues) {
    const path = issue.path as SourcePath;
    if (issue.code === 'unrecognized_keys') {
      const place = schemaPlace(check, path);
      for (const [index, key] of issue.keys.entries()) {
        const hint = index < MAX_GUESSES ? keyHint(key, place) : undefined;
        reportUnknownKey(key, path, { check, report, hint });
      }
    } else if (issue.code === 'invalid_key') reportName(issue, path, { check, report });
    else reportValue(issue, path, { check, report });
  }
}

/** Guesses cost more than all the rest, and a hundred are enough. */
const MAX_GUESSES = 100;

interface Task {
  readonly check: SchemaCheck;
  readonly report: ProblemReport;
}

function reportUnknownKey(
  key: string,
  path: SourcePath,
  { check, report, hint }: Task & { readonly hint: string | undefined },
): void {
  const parent = path.length === 0 ? 'at the top' : `in ${lastName(path)}`;
  report.error('KEY_UNKNOWN', `The key "${key}" is not known ${parent}.`, {
    path: [...(check.base ?? []), ...path, key],
    part: 'key',
    hint,
  });
}

/** A key that the author chose, such as the name of a resource. */
function reportName(issue: core.$ZodIssueInvalidKey, path: SourcePath, { check, report }: Task): void {
  const why = issue.issues[0]?.message ?? 'is not valid';
  const where = { path: [...(check.base ?? []), ...path], part: 'key' as const };
  report.error('NAME_INVALID', `The name "${lastName(path)}" ${why}.`, where);
}

function reportValue(issue: core.$ZodIssue, path: SourcePath, { check, report }: Task): void {
  const where = { path: [...(check.base ?? []), ...path] };
  const value = valueAt(check.document, path);
  const name = path.length === 0 ? 'The document' : `"${lastName(path)}"`;
  if (value === undefined) {
    report.error('KEY_MISSING', `${name} is missing.`, where);
    return;
  }
  const message = issue.message === 'Invalid input' ? expectation(issue) : issue.message;
  // A problem between the keys of a mapping is not about its type.
  const seen = issue.code === 'custom' && typeof value === 'object' ? '' : `; it is ${kindOf(value)}`;
  report.error('VALUE_INVALID', `${name} ${message}${seen}.`, { ...where, hint: meantValue(issue, value) });
}

/** The one of a few words that was meant. */
function meantValue(issue: core.$ZodIssue, value: Json): string | undefined {
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return undefined;
  const closest = closestName(
    value,
    issue.values.map((one) => String(one)),
  );
  return closest === undefined ? undefined : `Did you mean "${closest}"?`;
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be a mapping of keys to values',
  record: 'must be a mapping of keys to values',
};

function expectation(issue: core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map((value) => String(value)).join(', ')}`;
  const expected = issue.code === 'invalid_type' ? EXPECTED[issue.expected] : undefined;
  return expected ?? 'is not valid';
}

function kindOf(value: Json): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a mapping';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function lastName(path: SourcePath): string {
  const last = path.at(-1);
  if (typeof last !== 'number') return last ?? '';
  return `${String(path.at(-2) ?? '')}[${last}]`;
}
