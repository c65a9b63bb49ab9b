import type { Json } from '../../../core/model/json.ts';

/** Reads what agents and runs hand in, which may lack what it should have. */

export const textOrEmpty = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const textList = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter((one) => typeof one === 'string') : [];
