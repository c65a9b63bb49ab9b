import type { JournalRecord } from './fact.ts';
import type { RunId } from '../model/ids.ts';

/** A record as a journal gives it back. The number is given by the journal, so it is no part of the hash chain. */
export interface StoredRecord extends JournalRecord {
  /** Of the commit that added it: it orders the records of a tree of runs without clocks. */
  readonly commit: number;
}

export interface TreeRecord extends StoredRecord {
  readonly run: RunId;
}

type TreePlace = Pick<TreeRecord, 'commit' | 'seq'> & { readonly run: string };

/** The order of the records of a tree of runs: a record always comes after its cause. */
export const byCommit = (a: TreePlace, b: TreePlace): number =>
  a.commit - b.commit || (a.run === b.run ? a.seq - b.seq : a.run < b.run ? -1 : 1);
