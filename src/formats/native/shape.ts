import type { ProblemCode } from '../../core/codes/problem-codes.ts';
import type { Problem } from '../../core/model/fault.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { nameHint } from '../../source/closest-name.ts';
import { sourcePathText, type SourcePath } from '../../source/place.ts';

/**
 * Looks at one value that an author wrote and tells what is wrong with its form. The compiler says the same earlier, but a
 * workflow may be written in JavaScript, or be put together by a program.
 */
export type Shape = (value: unknown, path: SourcePath) => readonly Problem[];

export interface Keys {
  readonly required?: Readonly<Record<string, Shape>>;
  readonly optional?: Readonly<Record<string, Shape>>;
  /** Keys that a hint may name besides: of a sibling form that the author may have meant. */
  readonly alsoNamed?: readonly string[];
}

/** An object with these keys and no others. A key that is `undefined` counts as left out. */
export function objectShape({ required = {}, optional = {}, alsoNamed = [] }: Keys): Shape {
  const members = new Map([...Object.entries(required), ...Object.entries(optional)]);
  const known = [...new Set([...members.keys(), ...alsoNamed])];
  return (value, path) => {
    if (!isJsonObject(value)) return wrong(value, path, 'must be an object');
    const missing = Object.keys(required).filter((key) => value[key] === undefined);
    return [
      ...missing.map((key) =>
        problem('KEY_MISSING', `"${key}" is missing ${placeOf(path)}.`, { path: [...path, key] }),
      ),
      ...Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([key, member]) => {
        const shape = members.get(key);
        if (shape === undefined) return [unknownKey(key, path, known)];
        return member === undefined ? [] : shape(member, [...path, key]);
      }),
    ];
  };
}

/** An object whose keys are names of the author's own. */
export function record(each: Shape): Shape {
  return (value, path) => {
    if (!isJsonObject(value)) return wrong(value, path, 'must be an object');
    return Object.entries(value).flatMap(([name, member]) => each(member, [...path, name]));
  };
}

export function listShape(each: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return wrong(value, path, 'must be a list');
    return value.flatMap((item: unknown, index) => each(item, [...path, index]));
  };
}

/** One of a few words. */
export function wordShape(words: readonly string[]): Shape {
  return (value, path) => {
    if (typeof value === 'string' && words.includes(value)) return [];
    return wrong(value, path, { must: `must be one of ${words.join(', ')}`, hint: wordHint(value, words) });
  };
}

export const textShape: Shape = (value, path) => (typeof value === 'string' ? [] : wrong(value, path, 'must be text'));

/** Code: a text in the language of the files, or a function. */
export const codeShape: Shape = (value, path) =>
  typeof value === 'string' || typeof value === 'function' ? [] : wrong(value, path, 'must be text or a function');

export const number: Shape = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) ? [] : wrong(value, path, 'must be a number');

export const flagShape: Shape = (value, path) =>
  typeof value === 'boolean' ? [] : wrong(value, path, 'must be true or false');

/** Left to the check of the whole workflow. */
export const anything: Shape = () => [];

/** What a value must be, as the end of a sentence. */
type Must = string | { readonly must: string; readonly hint: string | undefined };

export function wrong(value: unknown, path: SourcePath, expected: Must): readonly Problem[] {
  const { must, hint } = typeof expected === 'string' ? { must: expected, hint: undefined } : expected;
  const name = path.length === 0 ? 'A workflow' : `"${sourcePathText(path)}"`;
  return [problem('VALUE_INVALID', `${name} ${must}; it is ${said(value)}.`, { path, hint })];
}

export function problem(
  code: ProblemCode,
  message: string,
  { path, hint }: { readonly path: SourcePath; readonly hint?: string | undefined },
): Problem {
  return { code, message, severity: 'error', path: sourcePathText(path), ...(hint === undefined ? {} : { hint }) };
}

/** The near word, where a word was given at all. */
export function wordHint(value: unknown, words: readonly string[]): string | undefined {
  return typeof value === 'string' ? nameHint(value, words) : undefined;
}

/** A value in a message; never more than a few words of it. */
export function said(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}…` : value);
}

function unknownKey(key: string, path: SourcePath, known: readonly string[]): Problem {
  const message = `The key "${key}" is not known ${placeOf(path)}.`;
  return problem('KEY_UNKNOWN', message, { path: [...path, key], hint: nameHint(key, known) });
}

const placeOf = (path: SourcePath): string => (path.length === 0 ? 'at the top' : `in ${sourcePathText(path)}`);
