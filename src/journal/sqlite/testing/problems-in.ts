import type { Problem } from '../../../core/model/fault.ts';
import { inspectJournal } from '../verify.ts';

/** Every problem of the journal in this folder. */
export async function problemsIn(home: string): Promise<readonly Problem[]> {
  const { headProblems, databaseProblems } = await inspectJournal(home);
  return [...headProblems, ...databaseProblems];
}
