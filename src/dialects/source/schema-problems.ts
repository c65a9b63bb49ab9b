import type { core } from 'zod/mini';
import type { Json } from '../../core/json.ts';
import { closestName } from './closest-name.ts';
import type { ProblemReport } from './problem-report.ts';
import { keyHint, schemaPlace, valueAt } from './schema-place.ts';
import type { SourcePath } from './source-path.ts';

type Schema = core.$ZodType;

export interface SchemaCheck {
  readonly schema: Schema;
  readonly document: Json;
  /** Where the document stands in its file, when it is a part of it. */
  readonly base?: SourcePath;
}

/**
 * Tells what a schema found in the author's words. A schema's own messages are the ends of sentences, such as
 * "must be a whole number above 0"; they are put behind the name of the key.
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

/** Guessing what was meant costs more than all the rest, and nobody reads the hundredth guess. */
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
  // What is wrong between the keys of a mapping is not that it is one.
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
