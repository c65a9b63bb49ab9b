import { expect, test } from 'vitest';
import type { PlacedProblem } from '../../src/protocol/web/workflow-page.ts';
import { sourceLines } from './source-lines.ts';

const problem = (line: number | null, file: string | null = null): PlacedProblem => ({
  severity: 'error',
  code: 'STATE_UNKNOWN',
  message: 'There is no such state.',
  hint: null,
  file,
  line,
  column: null,
  state: null,
});

test('[U2] a problem stands at its line', () => {
  const { lines, elsewhere } = sourceLines('a\nb\nc', 'w/fix.yaml', [problem(2), problem(3, 'fix.yaml')]);
  expect(lines.map(({ problems }) => problems.length)).toEqual([0, 1, 1]);
  expect(elsewhere).toEqual([]);
});

test('[U2] a problem of another file, or of a line that is not there, is listed separately', () => {
  const { lines, elsewhere } = sourceLines('a', 'w/fix.yaml', [problem(null), problem(7), problem(1, 'roles.yaml')]);
  expect(lines[0]?.problems).toEqual([]);
  expect(elsewhere).toHaveLength(3);
});
