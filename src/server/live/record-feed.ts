import type { RunId } from '../../core/model/ids.ts';
import { Bell } from './bell.ts';
import { eventText, type EventFeed } from './event-response.ts';
import type { Following, LiveDesk } from './live-desk.ts';
import { lossOf, shorter } from './loss-of.ts';
import { readTexts } from './read-texts.ts';

/** The records of one journal as events, their numbers as ids: what there is, then what comes, each once. */
export class RecordFeed implements EventFeed {
  readonly #desk: LiveDesk;
  readonly #run: RunId;
  readonly #bell = new Bell();
  readonly #following: Following;
  readonly #leave: () => void;
  #reached: number;
  #loss: unknown = null;
  #isOver = false;

  constructor(desk: LiveDesk, from: { readonly run: RunId; readonly after: number; readonly seq: number }) {
    this.#desk = desk;
    this.#run = from.run;
    this.#reached = from.after;
    if (from.after > from.seq) this.#loss = shorter(from.run, from.seq, from.after);
    this.#leave = desk.open({ words: () => undefined, broken: (error) => this.#lose(error) });
    this.#following = desk.follow(from.run, from.seq, () => this.#bell.ring());
    this.#bell.ring();
  }

  async next(): Promise<string | null> {
    while (!this.#isOver) {
      await this.#bell.heard();
      const text = await this.#news();
      if (text !== '') return text;
    }
    return null;
  }

  close(): void {
    this.#following.stop();
    this.#leave();
    this.#end();
  }

  /** Sent with the next piece, which is the last. */
  #lose(error: unknown): void {
    this.#loss ??= error;
    this.#bell.ring();
  }

  #end(): void {
    this.#isOver = true;
    this.#bell.ring();
  }

  async #news(): Promise<string> {
    const { reader } = this.#following;
    try {
      const loss = reader.loss?.error ?? this.#loss;
      if (loss !== null) throw loss;
      const recent = reader.recentAfter(this.#reached);
      const from = { run: this.#run, after: this.#reached };
      const texts = recent ?? (await readTexts(this.#desk.journal, from, PIECE));
      this.#reached = texts.at(-1)?.seq ?? this.#reached;
      if (reader.tip > this.#reached) {
        if (texts.length === 0) throw shorter(this.#run, this.#reached, reader.tip);
        this.#bell.ring();
      }
      return texts.map(({ seq, text }) => eventText('record', text, seq)).join('');
    } catch (error) {
      this.#end();
      return eventText('lost', JSON.stringify(lossOf(this.#run, error)));
    }
  }
}

const PIECE = { records: 500, bytes: 1024 * 1024 };
