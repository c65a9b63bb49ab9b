import { rootRunId, type RunId } from '../../../core/model/ids.ts';
import type { LiveEvent } from '../../../host/port.ts';
import type { TreeJournal } from '../../../app/runs/tree-reader.ts';
import { QuestBook } from './find-quest.ts';
import { join } from 'node:path';
import type { QuestView } from '../views/quest-view.ts';
import { runPlace } from '../../../workspace/run-place.ts';
import { questText } from './quest-text.ts';
import { replaceFile } from '../../../lib/replace-file.ts';

/** The files of a quest: for tools, and for people. */
export interface QuestPlace {
  readonly json: string;
  readonly text: string;
}

export function questPlace(home: string, run: string): QuestPlace {
  const { base } = runPlace(home, run);
  return { json: join(base, 'quest.json'), text: join(base, 'quest.md') };
}

export const questJson = (view: QuestView): string => `${JSON.stringify(view, null, 2)}\n`;

/** Writes both files atomically: readers never see half of one. */
async function writeQuestFiles(home: string, view: QuestView): Promise<void> {
  const { json, text } = questPlace(home, view.run);
  const [forTools, forPeople] = [questJson(view), questText(view)];
  await replaceFile(json, forTools, { isDurable: true });
  await replaceFile(text, forPeople, { isDurable: true });
}

export interface QuestWriterOptions {
  readonly home: string;
  readonly journal: TreeJournal;
  /** The shortest time between two writes of one quest; the last state is always written. */
  readonly everyMs?: number;
  /** Called once when the files cannot be written: no run is stopped by that. */
  readonly tell?: (sentence: string) => void;
}

/** Four times a second is often enough for a reader. */
const EVERY_MS = 250;

/** A failed write is retried even without news. */
const STUCK_MS = 2000;

/** A large quest on a slow disk is written less often: runs have nine tenths of the time at least. */
const IDLE_SHARE = 9;

/**
 * Keeps the files of every quest that moves here equal to its journals (Q7). It only hears that a journal has grown and reads the
 * records from there, so a file is always the fold of durable records.
 */
export class QuestWriter {
  readonly #options: QuestWriterOptions;
  readonly #quests = new Map<RunId, Writing>();
  #hasComplained = false;

  constructor(options: QuestWriterOptions) {
    this.#options = options;
  }

  heard(event: LiveEvent): void {
    if (event.kind === 'record') this.touched(event.run);
  }

  /** Records of this run were written. */
  touched(run: RunId): void {
    const root = rootRunId(run);
    const writing = this.#quests.get(root) ?? {
      book: undefined,
      last: '',
      hasNews: false,
      at: 0,
      tookMs: 0,
      isStuck: false,
      timer: null,
      busy: null,
    };
    this.#quests.set(root, writing);
    if (writing.book === null) return;
    writing.hasNews = true;
    this.#plan(root, writing);
  }

  #plan(root: RunId, writing: Writing): void {
    if (writing.timer !== null || writing.busy !== null) return;
    const least = writing.isStuck ? STUCK_MS : (this.#options.everyMs ?? EVERY_MS);
    const pause = Math.max(least, IDLE_SHARE * writing.tookMs);
    const wait = writing.at + pause - Date.now();
    writing.timer = setTimeout(() => this.#begin(root, writing), Math.max(0, wait));
    // The process closes the writer when it ends, which writes the rest.
    writing.timer.unref();
  }

  #begin(root: RunId, writing: Writing): void {
    if (writing.timer !== null) clearTimeout(writing.timer);
    writing.timer = null;
    const since = Date.now();
    writing.busy = this.#write(root, writing).finally(() => {
      writing.busy = null;
      writing.at = Date.now();
      writing.tookMs = writing.at - since;
      if (writing.hasNews) this.#plan(root, writing);
    });
  }

  async #write(root: RunId, writing: Writing): Promise<void> {
    writing.hasNews = false;
    try {
      if (writing.book === undefined) writing.book = await QuestBook.open(this.#options.journal, root);
      const { book } = writing;
      if (book !== null) {
        await book.readOn();
        await this.#writeFiles(book, writing);
      }
      writing.isStuck = false;
    } catch (error) {
      writing.hasNews = true;
      writing.isStuck = true;
      this.#complain(root, error);
    }
  }

  async #writeFiles(book: QuestBook, writing: Writing): Promise<void> {
    const view = book.view();
    const text = questJson(view);
    if (text === writing.last) return;
    await writeQuestFiles(this.#options.home, view);
    writing.last = text;
  }

  #complain(root: RunId, error: unknown): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    const why = error instanceof Error ? error.message : String(error);
    this.#options.tell?.(`the quest file of ${root} could not be written (${why}); the journal has all of it`);
  }

  /** The last state of every quest that was heard of, also of what was written without a word. */
  async close(): Promise<void> {
    for (const writing of this.#quests.values()) if (writing.book !== null) writing.hasNews = true;
    await this.flush();
    for (const writing of this.#quests.values()) {
      if (writing.timer !== null) clearTimeout(writing.timer);
      writing.timer = null;
    }
  }

  /** Resolves when everything that was heard is on the disk, or could not be brought there now. */
  async flush(): Promise<void> {
    for (const [root, writing] of this.#quests) {
      await writing.busy;
      while (writing.hasNews) {
        this.#begin(root, writing);
        await writing.busy;
        if (writing.isStuck) break;
      }
    }
  }
}

interface Writing {
  /** Null for a run that is no quest; undefined until checked. */
  book: QuestBook | null | undefined;
  /** The content of the file. */
  last: string;
  /** Runs with records that are not accounted for. */
  hasNews: boolean;
  at: number;
  /** How long the last write took. */
  tookMs: number;
  /** The last write failed; its news are still unwritten. */
  isStuck: boolean;
  timer: NodeJS.Timeout | null;
  busy: Promise<void> | null;
}
