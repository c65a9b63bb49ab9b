import { rootRunId, type RunId } from '../../../core/model/ids.ts';
import type { LiveEvent } from '../../../host/port.ts';
import type { LogLine } from '../../../protocol/log-lines/log-line.ts';
import { LogFile, logPlace, RunLines, type WrittenLine } from './log-file.ts';
import type { TreeJournal } from '../../runs/tree-reader.ts';

export interface LogWriterOptions {
  readonly home: string;
  readonly journal: TreeJournal;
  /** How long lines are gathered before they are written; the last ones always are. */
  readonly everyMs?: number;
  /** Called once when a log cannot be written; the run goes on. */
  readonly tell?: (sentence: string) => void;
}

const EVERY_MS = 200;

/** Keeps the logs of every run that moves here (PH8): what is in the journal is in the log, each line once. */
export class LogWriter {
  readonly #options: LogWriterOptions;
  readonly #runs = new Map<RunId, Writing>();
  #timer: NodeJS.Timeout | null = null;
  #busy: Promise<void> = Promise.resolve();
  #hasComplained = false;

  constructor(options: LogWriterOptions) {
    this.#options = options;
  }

  heard(event: LiveEvent): void {
    if (event.kind === 'record') this.touched(event.run);
  }

  touched(run: RunId): void {
    const root = rootRunId(run);
    const writing = this.#runs.get(root) ?? { lines: null, isWhole: false, files: new Map() };
    writing.isWhole = false;
    this.#runs.set(root, writing);
    this.#plan();
  }

  #plan(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => void this.flush(), this.#options.everyMs ?? EVERY_MS);
    // The end of the process closes the writer, which writes what is left.
    this.#timer.unref();
  }

  /** Resolves when everything that was heard is in the logs, or could not be brought there now. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#busy = this.#busy.then(() => this.#writeAll());
    await this.#busy;
  }

  /** The last lines of every run that was heard of, also of what was written without a word. */
  async close(): Promise<void> {
    for (const writing of this.#runs.values()) writing.isWhole = false;
    await this.flush();
  }

  async #writeAll(): Promise<void> {
    for (const [root, writing] of this.#runs) {
      try {
        await this.#write(root, writing);
      } catch (error) {
        // All of it is offered again: the files know what they have.
        writing.lines = null;
        this.#complain(root, error);
      }
    }
  }

  async #write(root: RunId, writing: Writing): Promise<void> {
    if (writing.lines !== null && writing.isWhole) return;
    writing.isWhole = true;
    const areAsLeft = await Promise.all([...writing.files.values()].map((file) => file.isAsLeft()));
    if (areAsLeft.includes(false)) {
      writing.files.clear();
      writing.lines = null;
    }
    writing.lines ??= new RunLines(this.#options.journal, root);
    for (const [path, some] of byFile(this.#options.home, root, await writing.lines.readOn())) {
      const file = writing.files.get(path) ?? new LogFile(path);
      writing.files.set(path, file);
      await file.add(some);
    }
  }

  #complain(root: RunId, error: unknown): void {
    if (this.#hasComplained) return;
    this.#hasComplained = true;
    const why = error instanceof Error ? error.message : String(error);
    this.#options.tell?.(`the log of ${root} could not be written (${why}); the journal has all of it`);
  }
}

interface Writing {
  /** Null until the journal was read. */
  lines: RunLines | null;
  /** Nothing was heard of since it was read. */
  isWhole: boolean;
  readonly files: Map<string, LogFile>;
}

function byFile(home: string, root: RunId, lines: readonly LogLine[]): ReadonlyMap<string, readonly WrittenLine[]> {
  const place = logPlace(home, root);
  const files = new Map<string, WrittenLine[]>();
  const add = (path: string, line: WrittenLine): void => {
    const known = files.get(path);
    if (known === undefined) files.set(path, [line]);
    else known.push(line);
  };
  for (const line of lines) {
    const written = { line, text: `${JSON.stringify(line)}\n` };
    add(place.workflow, written);
    if (line.agent_id !== null) add(place.agent(line.agent_id), written);
  }
  return files;
}
