import type { JournalRecord } from '../../core/fact.ts';

/** A record of one run of a tree, as it is sent to the page. */
export interface RecordLine {
  readonly run: string;
  readonly record: JournalRecord;
  /** Texts that were too long to be sent, and where they are in the fact: the beginning is there, the rest is fetched when wanted. */
  readonly cut?: readonly Cut[];
}

export interface Cut {
  /** Keys and indexes from the fact down to the text. */
  readonly path: readonly (string | number)[];
  /** Characters it really has. */
  readonly length: number;
}

export interface RecordPage {
  readonly run: string;
  readonly records: readonly RecordLine[];
  /** Newest record of the run when this was read. */
  readonly seq: number;
  /** Where the next page begins; null when this was the last. */
  readonly after: number | null;
}
