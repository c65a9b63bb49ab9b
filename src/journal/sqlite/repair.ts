import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

import { Fault, type Problem } from '../../core/model/fault.ts';
import { encodeHead, HEAD_LENGTH, HEAD_NAME, headPath, readHeadFile, remainingNumber } from './head-file.ts';
import { truncated, type JournalHead } from './head.ts';
import { shield } from './sqlite-fault.ts';
import { inspectJournal, type CheckedDatabase, type JournalInspection } from './verify.ts';

/**
 * What `troupe doctor --repair` can do for a journal. The only repair is to write `journal.head` again, and only from a
 * database of which every record was checked; the damaged file is kept. A damaged database is never changed.
 */
export type RepairPlan =
  | { readonly kind: 'nothing' }
  | HeadRepair
  | {
      readonly kind: 'refused';
      readonly problems: readonly Problem[];
      /** Null where the database cannot be read at all. */
      readonly database: CheckedDatabase | null;
      readonly isHeadDamaged: boolean;
    };

export interface HeadRepair {
  readonly kind: 'head';
  /** Why the file has to be written. */
  readonly problem: string;
  readonly database: CheckedDatabase;
  /** The name under which the damaged file is kept, in the same folder; null: there is no file. */
  readonly keepAs: string | null;
  /** The damaged file still shows that the database has not lost its end. */
  readonly isProven: boolean;
}

/** Reads the whole journal and writes nothing. */
export async function planRepair(home: string, now: Date): Promise<RepairPlan> {
  const inspection = await inspectJournal(home);
  const { database, headFile } = inspection;
  const problems = [...inspection.databaseProblems, ...lostEnd(home, inspection)];
  if (database === null || headFile === null || problems.length > 0) return refused(inspection, problems);
  if (headFile.kind === 'whole') return { kind: 'nothing' };
  if (headFile.kind === 'missing') return missingHead(database);
  return {
    kind: 'head',
    problem: inspection.headProblems.map(({ message }) => message).join(' '),
    database,
    keepAs: `${HEAD_NAME}.damaged-${now.toISOString().replaceAll(/[-:.]/g, '')}`,
    isProven: remainingNumber(headFile, database.head) !== null,
  };
}

function refused({ headProblems, database }: JournalInspection, problems: readonly Problem[]): RepairPlan {
  // Their hints lead to this repair.
  const all = [...headProblems.map(({ code, message, severity }) => ({ code, message, severity })), ...problems];
  if (all.length === 0) return { kind: 'nothing' };
  return { kind: 'refused', problems: all, database, isHeadDamaged: headProblems.length > 0 };
}

/** Before the first commit there is nothing that a head could name. */
function missingHead(database: CheckedDatabase): RepairPlan {
  if (database.head.number === 0) return { kind: 'nothing' };
  return { kind: 'head', problem: `${HEAD_NAME} is missing.`, database, keepAs: null, isProven: false };
}

/** A damaged head that still names a newer commit: the database lost its end as well. */
function lostEnd(home: string, { headFile, database }: JournalInspection): readonly Problem[] {
  if (headFile?.kind !== 'damaged' || database === null) return [];
  const number = remainingNumber(headFile, database.head);
  if (number === null || number <= database.head.number) return [];
  const { code, message, hint } = truncated(home, { number, hash: '' }, database.head);
  return [{ code, message, severity: 'error', ...(hint === undefined ? {} : { hint }) }];
}

/** Keeps the damaged file, then writes the head. Interrupted anywhere, it can be done again. */
export function repairHead(home: string, { database, keepAs }: HeadRepair): void {
  shield(home, () => {
    if (keepAs !== null) keepDamaged(home, keepAs);
    else if (readHeadFile(home).kind !== 'missing') throw changedMeanwhile(home);
    writeHead(home, database.head);
  });
}

/** A file is copied and stays: processes that have it open go on with the same one. */
function keepDamaged(home: string, keepAs: string): void {
  if (readHeadFile(home).kind !== 'damaged') throw changedMeanwhile(home);
  const [path, kept] = [headPath(home), join(home, keepAs)];
  if (!statSync(path).isFile()) return renameSync(path, kept);
  copyFileSync(path, kept, constants.COPYFILE_EXCL);
  forceAndClose(openSync(kept, 'r'));
}

function writeHead(home: string, head: JournalHead): void {
  const file = openSync(headPath(home), constants.O_RDWR | constants.O_CREAT, 0o600);
  writeSync(file, encodeHead(head).text, 0, 'latin1');
  ftruncateSync(file, HEAD_LENGTH);
  forceAndClose(file);
}

function forceAndClose(file: number): void {
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const changedMeanwhile = (home: string): Fault =>
  new Fault('JOURNAL_CONFLICT', `${headPath(home)} was changed by another process meanwhile. Nothing was written.`, {
    hint: 'Look again: troupe doctor',
  });
