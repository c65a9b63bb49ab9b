import { Fault } from '../core/fault.ts';
import type { Invocation } from './command-spec.ts';

/** Typed access to what commander parsed; a name that was not given is undefined. */
export function word(invocation: Invocation, index: number): string | undefined {
  const value = invocation.words[index];
  return typeof value === 'string' ? value : undefined;
}

export function words(invocation: Invocation, index: number): readonly string[] {
  const value = invocation.words[index];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

export function textOption(invocation: Invocation, name: string): string | undefined {
  const value = invocation.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Those of them that were given. */
export function textOptions<Name extends string>(
  invocation: Invocation,
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const given = names.flatMap((name) => {
    const value = textOption(invocation, name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as Partial<Record<Name, string>>;
}

function numberOption(invocation: Invocation, name: string): number | undefined {
  const value = invocation.options[name];
  return typeof value === 'number' ? value : undefined;
}

/** A count, such as `--keep 5`. Nothing is made of half a one: rounding would be a guess. */
export function countOption(invocation: Invocation, name: string, least = 1): number | undefined {
  const value = numberOption(invocation, name);
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return value;
  throw new Fault('USAGE', `${flagName(name)} must be a whole number, ${least} or more; it is ${value}.`);
}

/** An amount that may be a part of one, such as `--max-usd 0.5`. */
export function amountOption(invocation: Invocation, name: string, from: 'zero' | 'above zero'): number | undefined {
  const value = numberOption(invocation, name);
  if (value === undefined || value > 0 || (value === 0 && from === 'zero')) return value;
  const range = from === 'zero' ? 'zero or more' : 'above zero';
  throw new Fault('USAGE', `${flagName(name)} must be a number ${range}; it is ${value}.`);
}

const flagName = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export function listOption(invocation: Invocation, name: string): readonly string[] {
  const value = invocation.options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** A flag such as `--json`. */
export function flag(invocation: Invocation, name: string): boolean {
  return invocation.options[name] === true;
}
