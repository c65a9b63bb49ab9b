import { setImmediate as turn } from 'node:timers/promises';
import type { JournalRecord } from '../../core/record/fact.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { recordText, type RecordText } from './record-text.ts';

/** The error of a run that cannot be read any more. */
export type Loss = { readonly error: unknown };

/** Hears every record that is read on. */
export type RecordListener = (run: RunId, record: JournalRecord) => void;

/**
 * Reads one run for all its followers and keeps only the latest records. A follower that is further behind reads the journal
 * itself, so no queue grows.
 */
export class RunReader {
  readonly run: RunId;
  readonly #journal: Pick<Journal, 'read'>;
  readonly #heard: RecordListener;
  readonly #followers = new Set<() => void>();
  /** The latest records, without a gap up to the tip. */
  #recent: RecordText[] = [];
  #recentBytes = 0;
  #tip: number;
  #loss: Loss | null = null;

  constructor(
    journal: Pick<Journal, 'read'>,
    from: { readonly run: RunId; readonly tip: number },
    heard: RecordListener,
  ) {
    this.#journal = journal;
    this.run = from.run;
    this.#tip = from.tip;
    this.#heard = heard;
  }

  /** Number of the newest record that is known. */
  get tip(): number {
    return this.#tip;
  }

  get loss(): Loss | null {
    return this.#loss;
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  follow(news: () => void): () => void {
    this.#followers.add(news);
    return () => void this.#followers.delete(news);
  }

  /** Those after this one; null where they are no longer stored. */
  recentAfter(seq: number): readonly RecordText[] | null {
    if (seq >= this.#tip) return [];
    const first = this.#recent[0]?.seq;
    if (first === undefined || seq + 1 < first) return null;
    return this.#recent.slice(seq + 1 - first);
  }

  async readOn(): Promise<void> {
    if (this.#loss !== null) return;
    const before = this.#tip;
    try {
      while ((await this.#readPiece()) === PIECE) await turn();
    } catch (error) {
      this.#loss = { error };
    }
    if (this.#tip > before || this.#loss !== null) for (const news of this.#followers) news();
  }

  async #readPiece(): Promise<number> {
    const records = await this.#journal.read(this.run, this.#tip, PIECE);
    for (const record of records) {
      this.#keep(recordText(this.run, record));
      this.#heard(this.run, record);
    }
    return records.length;
  }

  #keep(text: RecordText): void {
    this.#recent.push(text);
    this.#recentBytes += text.text.length;
    this.#tip = text.seq;
    if (this.#recent.length <= KEPT_RECORDS * 2 && this.#recentBytes <= KEPT_BYTES * 2) return;
    while (this.#recent.length > KEPT_RECORDS || this.#recentBytes > KEPT_BYTES) {
      this.#recentBytes -= this.#recent.shift()?.text.length ?? 0;
    }
  }
}

const PIECE = 64;
const KEPT_RECORDS = 128;
const KEPT_BYTES = 128 * 1024;
