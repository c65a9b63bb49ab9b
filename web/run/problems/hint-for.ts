import { namedRun } from '../../../src/protocol/named-run.ts';
import type { RunProblem } from '../../model/problems-fold.ts';

/** What to do about it: its own hint, else what helps with problems of its kind. */
export function hintFor({ run, hint, kind, standing, isOfClient }: RunProblem): string {
  if (hint !== null && hint !== '') return namedRun(hint, run);
  if (standing !== 'stands') return '';
  if (isOfClient) return 'What its process printed stands below. Mend it, then fork from this step or resume the run.';
  return HINTS[kind];
}

const HINTS: Readonly<Record<RunProblem['kind'], string>> = {
  failure: 'Read what led to it, then fork the run from this step with what it needs.',
  tool: '',
  refused: 'Let the role use the tool, or fork from this step with other words.',
  limit: 'Raise it when you resume the run.',
  result: 'Look at the changes and merge them by hand.',
};
