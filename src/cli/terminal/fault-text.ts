import type { Problem } from '../../core/model/fault.ts';
import { describeError, type ErrorLine } from '../../app/describe-error.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { problemText } from '../../protocol/problem-text.ts';

/** Prints an error for people: code and sentence, each problem with its place, then the hint. */
export function faultText(error: unknown, options: { readonly debug?: boolean } = {}): string {
  const described = describeError(error);
  const lines = [
    ...(isOnlyProblem(described) ? [] : [`troupe: ${described.code}: ${described.message}`]),
    ...described.problems.map((problem) =>
      isOnlyProblem(described) ? onlyProblemText(described, problem) : problemText(problem),
    ),
    ...(described.hint === undefined ? [] : [`hint: ${described.hint}`]),
  ].map(plainText);
  const stack = options.debug === true && error instanceof Error ? [error.stack ?? ''] : [];
  return [...lines, ...stack].join('\n');
}

/** A fault that says nothing but its one problem is one line. */
const isOnlyProblem = ({ problems, message }: ErrorLine): boolean =>
  problems.length === 1 && problems[0]?.message === message;

function onlyProblemText({ code }: ErrorLine, problem: Problem): string {
  return `troupe: ${code}: ${problemText(problem).trim()}`;
}
