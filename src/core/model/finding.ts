import type { ProblemCode } from '../codes/problem-codes.ts';
import type { Position, Problem } from './fault.ts';
import type { Workflow } from './workflow.ts';

/** Something wrong with a workflow, before the file is named. */
export interface Finding {
  readonly code: ProblemCode;
  readonly message: string;
  /** Default: an error. */
  readonly severity?: 'warning';
  /** Where in the model, such as `states.review.transitions[0]`. */
  readonly path: string;
  readonly at?: Position | undefined;
  readonly hint?: string;
}

export function toProblem(workflow: Workflow, finding: Finding): Problem {
  const { code, message, severity = 'error', path, at, hint } = finding;
  return {
    code,
    message,
    severity,
    ...(workflow.file === undefined ? {} : { file: workflow.file }),
    ...(at === undefined ? {} : { at }),
    path,
    ...(hint === undefined ? {} : { hint }),
  };
}
