import type { CheckedFile } from '../../app/library/check-file.ts';
import { problemText } from '../../protocol/problem-text.ts';

export function checkedText(result: CheckedFile): string {
  const lines = result.problems.map(problemText);
  const verdict = result.ok ? `${result.file}: ok${names(result)}` : `${result.file}: not valid`;
  return [...lines, verdict].join('\n');
}

const names = (result: CheckedFile): string =>
  result.workflows.length === 0 ? '' : ` (${result.workflows.join(', ')})`;
