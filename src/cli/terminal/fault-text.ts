import { isFault, type Problem } from '../../core/fault.ts';
import { faultToMend } from '../../workspace/fault-to-mend.ts';
import { plainText } from '../../protocol/plain-text.ts';

/** What went wrong, as lines for people: code and sentence, each problem with its place, then what to do. */
export function faultText(error: unknown, options: { readonly debug?: boolean } = {}): string {
  const told = describeError(error);
  const lines = [
    ...(isOnlyProblem(told) ? [] : [`troupe: ${told.code}: ${told.message}`]),
    ...told.problems.map((problem) => (isOnlyProblem(told) ? onlyProblemText(told, problem) : problemText(problem))),
    ...(told.hint === undefined ? [] : [`hint: ${told.hint}`]),
  ].map(plainText);
  const stack = options.debug === true && error instanceof Error ? [error.stack ?? ''] : [];
  return [...lines, ...stack].join('\n');
}

/** A fault that says nothing but its one problem is told in one line. */
const isOnlyProblem = ({ problems, message }: ErrorLine): boolean =>
  problems.length === 1 && problems[0]?.message === message;

function onlyProblemText({ code }: ErrorLine, problem: Problem): string {
  return `troupe: ${code}: ${problemText(problem).trim()}`;
}

export interface ErrorLine {
  readonly kind: 'error';
  readonly code: string;
  readonly message: string;
  readonly problems: readonly Problem[];
  readonly hint?: string;
}

/** The same as data, for `--json`. An error that is no fault is a defect and says so. */
export function describeError(error: unknown): ErrorLine {
  const fault = isFault(error) ? error : faultToMend(error, placeOf(error));
  if (fault !== null) {
    const { code, message, problems, hint } = fault;
    return { kind: 'error', code, message, problems, ...(hint === undefined ? {} : { hint }) };
  }
  return {
    kind: 'error',
    code: 'INTERNAL',
    message: error instanceof Error ? error.message : String(error),
    problems: [],
    hint: 'This is a defect of Troupe. Set TROUPE_DEBUG=1 to see where it comes from.',
  };
}

const placeOf = (error: unknown): string =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : 'the disk';

/** `file:line:column  CODE  message` */
export function problemText(problem: Problem): string {
  const place = [problem.file, problem.at?.line, problem.at?.column].filter((part) => part !== undefined).join(':');
  const where = place === '' ? (problem.path ?? '') : place;
  const mark = problem.severity === 'warning' ? 'warning ' : '';
  const hint = problem.hint === undefined ? '' : ` (${problem.hint})`;
  return `${where}  ${mark}${problem.code}  ${problem.message}${hint}`;
}
