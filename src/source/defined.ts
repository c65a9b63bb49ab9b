import type { Position, Problem } from '../core/model/fault.ts';
import type { Workflow } from '../core/model/workflow.ts';

/** Without the keys that are undefined: an optional key is left out, never set to nothing. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}

type Defined<Fields> = { [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key] } & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>;
};

/** Something wrong with a workflow, reported where it was written. */
export function problemIn({ file }: Pick<Workflow, 'file'>, at: Position | undefined, found: FoundProblem): Problem {
  const { code, message, severity = 'error', path, hint } = found;
  return defined({ code, message, severity, file, at, path, hint });
}

interface FoundProblem extends Pick<Problem, 'code' | 'message'> {
  readonly severity?: Problem['severity'];
  readonly path?: string | undefined;
  readonly hint?: string | undefined;
}
