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

export function numberOption(invocation: Invocation, name: string): number | undefined {
  const value = invocation.options[name];
  return typeof value === 'number' ? value : undefined;
}

export function listOption(invocation: Invocation, name: string): readonly string[] {
  const value = invocation.options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** A flag such as `--json`. */
export function flag(invocation: Invocation, name: string): boolean {
  return invocation.options[name] === true;
}
