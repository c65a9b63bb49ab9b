import type { FaultCode } from '../core/codes/codes.ts';
import { Fault, type Problem } from '../core/model/fault.ts';

/** The result of checking something an author wrote: a value, perhaps with warnings, or all its mistakes. */
export type Checked<T> = Accepted<T> | RefusedSource;

export interface Accepted<T> {
  readonly ok: true;
  readonly value: T;
  readonly warnings: readonly Problem[];
}

export interface RefusedSource {
  readonly ok: false;
  /** At least one error; may include warnings. */
  readonly problems: readonly Problem[];
}

/** A check that also returns what could be read despite the errors: for further checks, never for use. */
export type Drafted<T> = Accepted<T> | (RefusedSource & { readonly draft?: T });

export function drafted<T>(value: T, problems: readonly Problem[]): Drafted<T> {
  return hasErrors(problems) ? { ...refusedSource(problems), draft: value } : checked(value, problems);
}

export const draftOf = <T>(result: Drafted<T>): T | undefined => (result.ok ? result.value : result.draft);

export const problemsOf = (result: Checked<unknown>): readonly Problem[] =>
  result.ok ? result.warnings : result.problems;

/** The value, unless one of the problems is an error. */
export function checked<T>(value: T, problems: readonly Problem[]): Checked<T> {
  return hasErrors(problems) ? refusedSource(problems) : { ok: true, value, warnings: problems };
}

export function refusedSource(problems: readonly Problem[]): RefusedSource {
  return { ok: false, problems };
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}

/** For callers that can only report to a person: the value, or a fault that carries every problem. */
export function valueOrFault<T>(result: Checked<T>, code: FaultCode): T {
  if (result.ok) return result.value;
  const errors = result.problems.filter((problem) => problem.severity === 'error');
  const first = errors[0]?.message ?? 'The definition was refused.';
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new Fault(code, `${first}${rest}`, { problems: result.problems });
}
