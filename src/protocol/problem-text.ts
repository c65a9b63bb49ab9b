import type { Problem } from '../core/model/fault.ts';

/** `file:line:column  CODE  message` */
export function problemText(problem: Problem): string {
  const place = [problem.file, problem.at?.line, problem.at?.column].filter((part) => part !== undefined).join(':');
  const where = place === '' ? (problem.path ?? '') : place;
  const mark = problem.severity === 'warning' ? 'warning ' : '';
  const hint = problem.hint === undefined ? '' : ` (${problem.hint})`;
  return `${where}  ${mark}${problem.code}  ${problem.message}${hint}`;
}
