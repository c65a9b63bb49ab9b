import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { LiveEvent } from '../../host/port.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import {
  answeredTask,
  LISTENING_FILE,
  LISTENING_MS,
  LIVE_FOLDER,
  wordsFile,
  type WordsLine,
} from '../../protocol/web/live-words.ts';

export interface LiveWordsOptions {
  readonly home: string;
  /** How long words are gathered before they are written. */
  readonly everyMs?: number;
  /** How long the answer to "does anyone listen?" is cached. */
  readonly believedMs?: number;
}

const EVERY_MS = 50;
const BELIEVED_MS = 1000;

/**
 * Gives a server the output of models before it is recorded: one file per root run, restarted when it is full, removed
 * when the runs are released. Written only while a server listens, one write at a time; failed writes are dropped.
 */
export class LiveWords {
  readonly #folder: string;
  readonly #everyMs: number;
  readonly #believedMs: number;
  readonly #answers = new Map<string, Answer>();
  readonly #ended: WordsLine[] = [];
  readonly #newest = new Map<RunId, number>();
  readonly #files = new Map<RunId, WordsFile>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isDue = false;
  #isWriting = false;
  #isHeard = false;
  #lookedAt = -Infinity;

  constructor({ home, everyMs = EVERY_MS, believedMs = BELIEVED_MS }: LiveWordsOptions) {
    this.#folder = join(home, LIVE_FOLDER);
    this.#everyMs = everyMs;
    this.#believedMs = believedMs;
  }

  heard(event: LiveEvent): void {
    if (event.kind === 'text') return this.#add(event);
    const { run, record } = event;
    this.#newest.set(run, record.seq);
    if (record.fact.kind === 'run.settled') this.#newest.delete(run);
    const task = answeredTask(record.fact);
    if (task !== null) this.#end(run, task, record.seq);
  }

  async close(): Promise<void> {
    this.#answers.clear();
    this.#ended.length = 0;
    await this.#writing;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await Promise.all([...this.#files.values()].map((file) => file.remove()));
  }

  #add({ run, task, agent, delta }: Extract<LiveEvent, { readonly kind: 'text' }>): void {
    const key = `${run} ${task}`;
    const answer = this.#answers.get(key) ?? { run, task, agent, start: 0, text: '', written: 0 };
    this.#answers.set(key, answer);
    answer.text += delta;
    if (answer.text.length > LONGEST) {
      const over = answer.text.length - LONGEST / 2;
      answer.text = answer.text.slice(over);
      answer.start += over;
    }
    this.#plan();
  }

  /** A later reader must not take an earlier answer for the present one. */
  #end(run: RunId, task: string, seq: number): void {
    const key = `${run} ${task}`;
    const answer = this.#answers.get(key);
    if (answer === undefined) return;
    this.#answers.delete(key);
    if (answer.written === 0) return;
    const { agent } = answer;
    this.#ended.push({ run, task, agent, offset: 0, text: '', after: seq, isEnd: true });
    this.#plan();
  }

  #plan(afterMs = this.#everyMs): void {
    this.#isDue = true;
    if (this.#timer !== null || this.#isWriting) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#writing = this.#writeAll();
    }, afterMs);
    this.#timer.unref();
  }

  async #writeAll(): Promise<void> {
    this.#isDue = false;
    this.#isWriting = true;
    await this.#write();
    this.#isWriting = false;
    if (this.#isDue) this.#plan();
    // Somebody may begin to listen while a model that has said something is silent.
    else if (!this.#isHeard && this.#answers.size > 0) this.#plan(this.#believedMs);
  }

  async #write(): Promise<void> {
    try {
      if (!(await this.#isListenedTo())) return;
      for (const [root, lines] of this.#takeLines()) {
        const file = this.#files.get(root) ?? new WordsFile(this.#folder, root);
        this.#files.set(root, file);
        await file.add(lines);
      }
    } catch {
      // The words come with their record, then.
      this.#isHeard = false;
    }
  }

  async #isListenedTo(): Promise<boolean> {
    if (performance.now() - this.#lookedAt < this.#believedMs) return this.#isHeard;
    const found = await stat(join(this.#folder, LISTENING_FILE)).catch(() => null);
    const isHeard = found !== null && Date.now() - found.mtimeMs < LISTENING_MS;
    // Somebody new begins with the beginning of every answer.
    if (isHeard && !this.#isHeard) for (const answer of this.#answers.values()) answer.written = 0;
    if (!isHeard) this.#ended.length = 0;
    this.#isHeard = isHeard;
    this.#lookedAt = performance.now();
    return isHeard;
  }

  #takeLines(): ReadonlyMap<RunId, readonly WordsLine[]> {
    const lines = this.#ended.splice(0);
    for (const answer of this.#answers.values()) {
      const { run, task, agent, start, text } = answer;
      const offset = Math.max(answer.written, start);
      if (offset >= start + text.length) continue;
      lines.push({ run, task, agent, offset, text: text.slice(offset - start), after: this.#newest.get(run) ?? 0 });
      answer.written = start + text.length;
    }
    return Map.groupBy(lines, ({ run }) => rootRunId(run as RunId));
  }
}

/** An answer as far as it has come; of an endless one only the end is kept. */
interface Answer {
  readonly run: RunId;
  readonly task: string;
  readonly agent: string;
  start: number;
  text: string;
  /** How much of it is in the file. */
  written: number;
}

const LONGEST = 256 * 1024;
const FULL_BYTES = 1024 * 1024;

class WordsFile {
  readonly #folder: string;
  readonly #path: string;
  #handle: FileHandle | null = null;
  #size = 0;

  constructor(folder: string, root: RunId) {
    this.#folder = folder;
    this.#path = join(folder, wordsFile(root));
  }

  async add(lines: readonly WordsLine[]): Promise<void> {
    const handle = await this.#opened();
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (this.#size + bytes.length > FULL_BYTES) {
      await handle.truncate(0);
      this.#size = 0;
    }
    await handle.write(bytes, 0, bytes.length, this.#size);
    this.#size += bytes.length;
  }

  /** A run may have been silent for so long that its file was taken for one left behind, and removed. */
  async #opened(): Promise<FileHandle> {
    if (this.#handle !== null && (await this.#handle.stat()).nlink > 0) return this.#handle;
    await this.#handle?.close().catch(() => undefined);
    this.#handle = null;
    makeFolder(this.#folder, 0o700);
    // Whatever lies there, a link or a file that others may read, is not what is written to.
    await rm(this.#path, { force: true });
    this.#size = 0;
    this.#handle = await open(this.#path, 'wx', 0o600);
    return this.#handle;
  }

  async remove(): Promise<void> {
    await this.#handle?.close().catch(() => undefined);
    if (this.#handle !== null) await rm(this.#path, { force: true }).catch(() => undefined);
  }
}
