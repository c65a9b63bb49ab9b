import type { ProblemCode } from '../core/codes/problem-codes.ts';
import type { Problem } from '../core/model/fault.ts';
import { problemIn } from './defined.ts';
import { type Locate, sourcePathText, type SourcePath } from './place.ts';

/** Where a family reads from: the author's name for the file, and the way back to its lines. */
export interface Origin {
  readonly file: string;
  readonly locate: Locate;
}

/** Collects all problems of one file; a parser continues after a problem instead of stopping at the first. */
export interface ProblemReport {
  readonly origin: Origin;
  readonly problems: readonly Problem[];
  error(code: ProblemCode, message: string, where: Where): void;
  warning(code: ProblemCode, message: string, where: Where): void;
  /** Adds the findings of another check. */
  add(problems: readonly Problem[]): void;
  /** In the order of the file, and not more than a person would read. */
  sorted(): readonly Problem[];
}

const MOST_LISTED = 100;

export interface Where {
  readonly path: SourcePath;
  /** Point at the key instead of the value. */
  readonly part?: 'key' | 'value';
  readonly hint?: string | undefined;
}

export function problemReport(origin: Origin): ProblemReport {
  const problems: Problem[] = [];
  const recorder =
    (severity: Problem['severity']): ProblemReport['error'] =>
    (code, message, where) => {
      const path = sourcePathText(where.path);
      problems.push(
        problemIn(origin, origin.locate(where.path, where.part), { code, message, severity, path, hint: where.hint }),
      );
    };
  return {
    origin,
    problems,
    error: recorder('error'),
    warning: recorder('warning'),
    add: (more) => void problems.push(...more),
    sorted: () => inOrder(problems, origin.file),
  };
}

function inOrder(problems: readonly Problem[], file: string): readonly Problem[] {
  const sorted = problems.toSorted((a, b) => place(a) - place(b));
  if (sorted.length <= MOST_LISTED) return sorted;
  const left = sorted.slice(MOST_LISTED);
  const severity = left.some((problem) => problem.severity === 'error') ? 'error' : 'warning';
  const message = `There are ${left.length} more problems.`;
  return [...sorted.slice(0, MOST_LISTED), { code: 'PROBLEMS_LEFT_OUT', message, severity, file }];
}

/** One number for line and column; what has no place comes last. */
function place({ at }: Problem): number {
  return at === undefined ? Number.MAX_SAFE_INTEGER : at.line * 1_000_000 + at.column;
}
