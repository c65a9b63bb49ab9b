import type { JournalRecord } from '../core/record/fact.ts';
import type { BodyHash } from '../core/model/ids.ts';
import { contentHash } from './content-hash.ts';
import { rowHash } from './row-hash.ts';

/** A record turned into text before it is queued, so that later changes of the object do not matter. */
export interface WrittenRecord {
  readonly seq: number;
  readonly at: number;
  /** The fact's JSON, or the reference to it. */
  readonly text: string;
  readonly large: { readonly hash: BodyHash; readonly body: string } | null;
  /** The commit number it brings along. */
  readonly commit?: number;
}

/** A run's chain begins with its name, so one run's records never pass for another's. */
export const firstTip = (run: string): string => rowHash(run);

export function writtenRecord({ seq, at, fact }: JournalRecord): WrittenRecord {
  const text = JSON.stringify(fact);
  if (text.length <= LARGE) return { seq, at, text, large: null };
  const hash = contentHash(text);
  return { seq, at, text: `${REFERENCE}${hash}`, large: { hash, body: text } };
}

/** [H6] Above this many characters a record lies among the bodies. */
const LARGE = 64 * 1024;

/** No JSON begins like this. */
export const REFERENCE = 'sha256:';
