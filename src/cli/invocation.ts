import type { z } from 'zod';
import { Fault } from '../core/model/fault.ts';
import { checkedRequest } from '../protocol/checked-request.ts';
import type { Terminal } from './terminal/terminal.ts';

/** A command as data: what help and completion show, and where its code is. The code is loaded only when it runs. */
export interface CommandSpec {
  readonly name: string;
  /** Its arguments as commander writes them: `<workflow> [input]`. */
  readonly arguments?: string;
  readonly summary: string;
  readonly group: string;
  readonly options?: readonly OptionSpec[];
  readonly examples?: readonly string[];
  /** The values of its argument `action`. */
  readonly actions?: readonly { readonly value: string; readonly description: string }[];
  /** Not for people: left out of the help. */
  readonly isHidden?: true;
  readonly load: () => Promise<CommandAction>;
}

export interface OptionSpec {
  readonly flags: string;
  readonly description: string;
  readonly kind?: 'text' | 'number' | 'list';
  readonly choices?: readonly string[];
}

/** Every command takes these, each with one meaning (`OutputMode`). */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { flags: '--json', description: 'print data only, as JSON' },
  { flags: '--quiet', description: 'print only the verdict or the answer, and errors' },
  { flags: '--verbose', description: "print the engine's own steps too" },
  { flags: '--journal <address>', description: 'the journal to use: postgres://USER@HOST:PORT/DATABASE, or local' },
  { flags: '--no-input', description: 'never ask; fail with the flag to give instead' },
];

/** Runs the command; its result is the exit code, 0 where it gives none. */
export type CommandAction = (invocation: Invocation) => Promise<number | void>;

export interface Invocation {
  readonly words: readonly (string | readonly string[] | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly terminal: Terminal;
  readonly version: string;
}

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

/** Parses the flags of a command into its request. REQUEST_INVALID. */
export const cliRequest = <Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> =>
  checkedRequest(schema, given, 'Run the command with --help to see what it takes.');
const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** `30d`, `12h`: a length of time in milliseconds. A bare number would leave everybody guessing. */
export function ageOption(invocation: Invocation, name: string): number | undefined {
  const text = textOption(invocation, name);
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit ?? ''];
  if (count !== undefined && factor !== undefined) return Number(count) * factor;
  throw new Fault('USAGE', `"${text}" is not a length of time.`, { hint: 'As in: 30d, 12h, 45m, 2w' });
}
