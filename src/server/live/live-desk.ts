import type { JournalRecord } from '../../core/record/fact.ts';
import { rootRunId, runId, type RunId } from '../../core/model/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { answeredTask, type WordsLine } from '../../protocol/web/live-words.ts';
import type { Operations } from '../operations.ts';
import { CardDesk } from './card-desk.ts';
import { Pulse } from './pulse.ts';
import { RunIndex } from './run-index.ts';
import { RunReader } from './run-reader.ts';
import { WordBook } from './word-book.ts';
import { WordTail } from './word-tail.ts';

/** Somebody follows a run. */
export interface Following {
  readonly reader: RunReader;
  /** Once and for all, however often it is said. */
  stop(): void;
}

/** State shared by all streams of a server: one list, one reader per run, one fold per card. Idle while no stream is open. */
export class LiveDesk {
  readonly journal: Journal;
  readonly index: RunIndex;
  readonly cards: CardDesk;
  readonly words = new WordBook();
  readonly #tail: WordTail;
  readonly #readers = new Map<RunId, RunReader>();
  readonly #streams = new Set<Listener>();
  readonly #reading: Pulse;
  readonly #surveying: Pulse;

  constructor({
    journal,
    home,
    workers = null,
  }: Pick<Operations, 'journal' | 'home'> & Partial<Pick<Operations, 'workers'>>) {
    this.journal = journal;
    this.index = new RunIndex(journal);
    this.cards = new CardDesk(journal, this.index, workers);
    this.#tail = new WordTail({ home, heard: (line) => this.#wordsCame(line) });
    this.#reading = new Pulse(journal, { leastMs: 30, mostMs: 1000, beat: () => this.#guarded(() => this.#readOn()) });
    this.#surveying = new Pulse(journal, {
      leastMs: 400,
      mostMs: 2000,
      beat: () => this.#survey(),
    });
  }

  async #survey(): Promise<void> {
    await this.#guarded(() => this.cards.checkWorkers());
    await this.#guarded(() => this.index.survey());
  }

  /** For as long as a stream lasts. Returns the end of it. */
  open(listener: Listener): () => void {
    this.#streams.add(listener);
    this.#reading.start();
    this.#surveying.start();
    return () => {
      this.#streams.delete(listener);
      if (this.#streams.size > 0) return;
      this.#reading.stop();
      this.#surveying.stop();
    };
  }

  /** `from`: the newest record that is known to be there. */
  follow(run: RunId, from: number, news: () => void): Following {
    const reader = this.#readers.get(run) ?? this.#newReader(run, from);
    const unfollow = reader.follow(news);
    this.#tail.follow(rootRunId(run));
    let isOver = false;
    return {
      reader,
      stop: () => {
        if (isOver) return;
        isOver = true;
        unfollow();
        if (this.#tail.unfollow(rootRunId(run))) this.words.forget(rootRunId(run));
        if (!reader.isFollowed && this.#readers.get(run) === reader) this.#readers.delete(run);
      },
    };
  }

  #newReader(run: RunId, tip: number): RunReader {
    const reader = new RunReader(this.journal, { run, tip }, (of, record) => this.#heard(of, record));
    this.#readers.set(run, reader);
    return reader;
  }

  #heard(run: RunId, { seq, fact }: JournalRecord): void {
    const task = answeredTask(fact);
    if (task !== null) this.words.end(run, task, seq);
  }

  async #readOn(): Promise<void> {
    await this.index.discover();
    for (const reader of this.#readers.values()) if (!this.#isQuiet(reader)) await reader.readOn();
  }

  /** A run below another that is over hardly ever gets a further record, and there may be thousands of them. */
  #isQuiet({ run, tip }: RunReader): boolean {
    const info = this.index.info(run);
    return info !== undefined && info.parent !== null && info.status === 'settled' && info.seq <= tip;
  }

  /** Ignores words of a process that has ended. */
  #wordsCame(line: WordsLine): void {
    const isDriven = this.index.info(rootRunId(runId(line.run)))?.driven === true;
    if (!isDriven || !this.words.take(line)) return;
    for (const stream of this.#streams) stream.words(line.run);
  }

  /** A journal that cannot be read at all ends every stream; a client that reconnects gets the reason. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      for (const stream of this.#streams) stream.broken(error);
    }
  }
}

export interface Listener {
  /** Words came in this run. */
  words(run: string): void;
  broken(error: unknown): void;
}
