import { isJsonObject, type Json } from './json.ts';
import type { ValueType } from './workflow.ts';

/** Whether a value has the type that an input requires. Used both before a run and within one. */
export const fitsType = (value: Json, type: ValueType): boolean => FITS[type](value);

const FITS: Readonly<Record<ValueType, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  object: (value) => isJsonObject(value),
  array: (value) => Array.isArray(value),
  any: () => true,
};

/** The end of a sentence that begins with "must be". */
export const typeText = (type: ValueType): string => TEXTS[type];

const TEXTS: Readonly<Record<ValueType, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  any: 'a value',
};
