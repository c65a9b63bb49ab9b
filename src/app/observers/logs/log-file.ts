import { appendFile, open, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../lib/make-folder.ts';
import type { LogLine } from '../../../protocol/log-lines/log-line.ts';
import { createHash } from 'node:crypto';
import { runPlace } from '../../../workspace/run-place.ts';
import type { RunId } from '../../../core/model/ids.ts';
import { RunLogLines } from '../../../protocol/log-lines/run-log-lines.ts';
import { type ReadRecord, type TreeJournal, TreeReader } from '../../runs/tree-reader.ts';
import { parseObject } from '../../../core/model/json.ts';

/**
 * An append-only log on disk, so that a reader sees each line once. Its own lines show how far it goes: the next process
 * removes half a line and adds what a process that died had not written.
 */
export class LogFile {
  readonly #path: string;
  /** The last line of each run. */
  #ends: Map<string, LineName> | null = null;
  #size = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Whether no other process has changed it: only then is everything after the last known line missing. */
  async isAsLeft(): Promise<boolean> {
    return this.#ends === null || (await sizeOf(this.#path)) === this.#size;
  }

  /** Of these lines, in the order of their runs, those that are not there yet. */
  async add(lines: readonly WrittenLine[]): Promise<void> {
    const ends = (this.#ends ??= await this.#readEnds());
    const missing = lines.filter(({ line }) => isAfter(line, ends.get(line.run)));
    if (missing.length === 0) return;
    const text = missing.map((line) => line.text).join('');
    try {
      if (this.#size === 0) makeFolder(dirname(this.#path), 0o700);
      await appendFile(this.#path, text, { mode: 0o600 });
    } catch (error) {
      // Part of it may be there: look again before the next try.
      this.#ends = null;
      throw error;
    }
    this.#size += Buffer.byteLength(text);
    for (const { line } of missing) ends.set(line.run, { seq: line.seq, part: line.part ?? 1 });
  }

  async #readEnds(): Promise<Map<string, LineName>> {
    const ends = new Map<string, LineName>();
    const size = await sizeOf(this.#path);
    this.#size = size === 0 ? 0 : await readNames(this.#path, ({ run, ...name }) => void ends.set(run, name));
    if (this.#size < size) await truncate(this.#path, this.#size);
    return ends;
  }
}

/** A line as written to every log that it belongs to. */
export interface WrittenLine {
  readonly line: LogLine;
  readonly text: string;
}

interface LineName {
  readonly seq: number;
  readonly part: number;
}

function isAfter({ seq, part = 1 }: LogLine, end: LineName | undefined): boolean {
  return end === undefined || seq > end.seq || (seq === end.seq && part > end.part);
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found?.size ?? 0;
}

const NEWLINE = 10;

/** Reads names up to the first line that is none; the result is where the good part ends. */
async function readNames(path: string, tell: (name: LineName & { readonly run: string }) => void): Promise<number> {
  const file = await open(path);
  try {
    let good = 0;
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
        const name = nameIn(rest.toString('utf8', 0, end));
        if (name === null) return good;
        tell(name);
        good += end + 1;
        rest = rest.subarray(end + 1);
      }
    }
    return good;
  } finally {
    await file.close();
  }
}

function nameIn(text: string): (LineName & { readonly run: string }) | null {
  const { run, seq, part = 1 }: Partial<LogLine> = parseObject(text) ?? {};
  return typeof run === 'string' && typeof seq === 'number' ? { run, seq, part } : null;
}

/** Where the logs of a run lie, with those of all runs below it. */
export interface LogPlace {
  readonly folder: string;
  /** Everything. */
  readonly workflow: string;
  /** The log of one agent over all runs. */
  readonly agent: (name: string) => string;
}

export function logPlace(home: string, root: string): LogPlace {
  const folder = join(runPlace(home, root).base, 'logs');
  return {
    folder,
    workflow: join(folder, 'workflows', `${root}.log`),
    agent: (name) => join(folder, 'agents', `${fileName(name)}.log`),
  };
}

/** Names that are no file names keep what can be read of them; the hash keeps them apart. */
function fileName(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/.test(name)) return name;
  const readable = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60);
  return `${readable}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/** The log lines of a run and of all below it: those there are, then those that come. Each once. */
export class RunLines {
  readonly #reader: TreeReader;
  readonly #tellers = new Map<RunId, RunLogLines>();

  constructor(journal: TreeJournal, root: RunId) {
    this.#reader = new TreeReader(journal, root);
  }

  async readOn(): Promise<readonly LogLine[]> {
    return this.#tell(await this.#reader.readOn());
  }

  #tell(records: readonly ReadRecord[]): readonly LogLine[] {
    return records.flatMap(({ run, record, isInherited }) => {
      const teller = this.#tellers.get(run) ?? new RunLogLines(run);
      this.#tellers.set(run, teller);
      const lines = teller.linesOf(record);
      return isInherited ? [] : lines;
    });
  }
}
