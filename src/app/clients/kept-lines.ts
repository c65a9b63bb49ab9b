import { appendFile, readdir, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rootRunId, type RunId, taskId, type TaskId } from '../../core/model/ids.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { runPlace } from '../../workspace/run-place.ts';

/** A raw line of a client's turn. */
export interface SaidLine {
  readonly run: RunId;
  readonly task: TaskId;
  readonly line: string;
}

/** So much of a turn is kept in one file; the one before it stays, what is older goes. */
const MOST_BYTES = 16 * 1024 * 1024;

/** More that waits for the disk than this is let go: the journal has what matters. */
const MOST_WAITING = 64 * 1024 * 1024;

/** Writes down what clients say beside the journal, without anybody having to wait for it. */
export class LineKeeper {
  readonly #home: string;
  readonly #mostBytes: number;
  readonly #files = new Map<string, Waiting>();
  #waiting = 0;

  constructor(home: string, mostBytes = MOST_BYTES) {
    this.#home = home;
    this.#mostBytes = mostBytes;
  }

  keep({ run, task, line }: SaidLine): void {
    const size = Buffer.byteLength(line) + 1;
    if (this.#waiting + size > MOST_WAITING) return;
    this.#waiting += size;
    const file = join(linesFolder(this.#home, run), `${fileName(task)}${ENDING}`);
    const known = this.#files.get(file);
    if (known !== undefined) return void known.lines.push(line);
    const waiting: Waiting = { lines: [line], written: Promise.resolve() };
    this.#files.set(file, waiting);
    waiting.written = this.#write(file, waiting);
  }

  /** Resolves when all that was said so far is on the disk, as far as it can be. */
  async close(): Promise<void> {
    await Promise.all([...this.#files.values()].map(({ written }) => written));
  }

  async #write(file: string, waiting: Waiting): Promise<void> {
    while (waiting.lines.length > 0) {
      // What is said while the last piece is written goes out in one.
      const lines = waiting.lines.splice(0);
      const text = `${lines.join('\n')}\n`;
      // A full disk must not end the turn; the journal has what matters.
      await this.#append(file, text).catch(() => undefined);
      this.#waiting -= Buffer.byteLength(text);
    }
    this.#files.delete(file);
  }

  async #append(file: string, text: string): Promise<void> {
    const size = await sizeOf(file);
    if (size === null) makeFolder(dirname(file), 0o700);
    else if (size + Buffer.byteLength(text) > this.#mostBytes) await rename(file, olderOf(file));
    await appendFile(file, text, { mode: 0o600 });
  }
}

interface Waiting {
  readonly lines: string[];
  written: Promise<void>;
}

const ENDING = '.ndjson';
const OLDER = '.older.ndjson';

const olderOf = (file: string): string => `${file.slice(0, -ENDING.length)}${OLDER}`;

/** Below the run's own files, so that it goes with them. */
function linesFolder(home: string, run: RunId): string {
  const root = rootRunId(run);
  const way = run.slice(root.length).split('/').slice(1);
  return join(runPlace(home, root).base, 'agents', ...way.map(fileName));
}

const fileName = (name: string): string => encodeURIComponent(name).replace(/^\./, '%2E');

async function sizeOf(file: string): Promise<number | null> {
  const found = await stat(file).catch(() => null);
  return found?.size ?? null;
}

/** The turns of a run of which lines were kept, in the order in which they began. */
export async function keptTurns(home: string, run: RunId): Promise<readonly TaskId[]> {
  const names = await readdir(linesFolder(home, run)).catch((): string[] => []);
  const tasks = names
    .filter((name) => name.endsWith(ENDING) && !name.endsWith(OLDER))
    .map((name) => decodeURIComponent(name.slice(0, -ENDING.length)));
  return tasks.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).map(taskId);
}

/** The kept lines of one turn; the oldest may be gone. */
export async function keptClientLines(home: string, turn: Pick<SaidLine, 'run' | 'task'>): Promise<readonly string[]> {
  const file = join(linesFolder(home, turn.run), `${fileName(turn.task)}${ENDING}`);
  const texts = await Promise.all([olderOf(file), file].map((path) => readFile(path, 'utf8').catch(() => '')));
  return texts.join('').split('\n').slice(0, -1);
}
