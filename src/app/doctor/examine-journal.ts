import type { Problem } from '../../core/fault.ts';
import { inspectJournal, type CheckedDatabase } from '../../journal/sqlite/verify.ts';
import { counted } from '../../protocol/amounts.ts';
import { problemText } from '../../protocol/problem-text.ts';
import type { DoctorFinding } from './finding.ts';

/** Reads every record and checks it against the hash chain. */
export async function examineJournal(home: string): Promise<readonly DoctorFinding[]> {
  const about = 'journal';
  const { headProblems, databaseProblems, headFile, database } = await inspectJournal(home);
  const problems = [...headProblems, ...databaseProblems];
  if (problems.length > 0) return damageFindings(problems, database);
  if (database === null) return [{ level: 'ok', about, text: `${home} (no runs yet)` }];
  const whole: DoctorFinding = { level: 'ok', about, text: `${home}, every record verified` };
  if (headFile?.kind !== 'missing' || database.head.number === 0) return [whole];
  return [whole, { level: 'warning', about, text: HEAD_MISSING }];
}

const HEAD_MISSING =
  'journal.head is missing: a lost end of the journal would not show. The next command that writes makes it again.';

function damageFindings(problems: readonly Problem[], database: CheckedDatabase | null): readonly DoctorFinding[] {
  const about = 'journal';
  const readable =
    database === null ? [] : [`${database.wholeRuns} of ${counted(database.runs, 'run')} can be read whole.`];
  const advice = [...readable, 'Nothing was changed. What can be done: troupe doctor --repair'].join(' ');
  return [
    ...problems.map((problem): DoctorFinding => ({ level: 'error', about, text: problemText(problem).trim() })),
    { level: 'error', about, text: advice },
  ];
}
