import { isFault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { DatabaseLink } from './database-link.ts';
import type { TextBatch } from './written-batch.ts';
import { bigintArray, doubleArray, integerArray, textArray } from './array-parameter.ts';
import { APPEND, APPEND_ALONE } from './statements.ts';

/** `tree` is the number of the run that was created first in the tree, its head: that row has the newest commit number. */
export interface RunNumbers {
  readonly number: number;
  readonly tree: number;
}

/** A batch that continues a run from a known record. */
export interface GroupedAppend extends RunNumbers {
  readonly run: RunId;
  readonly epoch: number;
  readonly after: number;
  /** The tip after these records. */
  readonly tip: string;
  readonly batch: TextBatch;
}

export const APPEND_CODE = { written: 0, isThere: 1, leaseLost: 2, conflict: 3, runUnknown: 4 } as const;

interface Waiting {
  readonly append: GroupedAppend;
  readonly resolve: (code: number) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_GROUPS = 2;
const LARGEST_GROUP = 500;
const LEAST_SHARE = 8;
const LARGEST_GROUP_BYTES = 4 * 2 ** 20;

/**
 * Batches that wait share one call, and so one transaction and one wait for the server's disk. Two groups may be under way at
 * once. A run has at most one batch among them: the caller waits for one before it hands in the next.
 */
export class AppendGroups {
  readonly #link: DatabaseLink;
  readonly #onWritten: (runs: readonly RunId[], change: number) => void;
  #waiting: Waiting[] = [];
  #underWay = 0;
  #isScheduled = false;

  constructor(link: DatabaseLink, onWritten: (runs: readonly RunId[], change: number) => void) {
    this.#link = link;
    this.#onWritten = onWritten;
  }

  /** One of `APPEND_CODE`. */
  submit(append: GroupedAppend): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ append, resolve, reject });
      this.#schedule();
    });
  }

  /** Once everything that is ready to run has run: it may hand in more for the same group. */
  #schedule(): void {
    if (this.#isScheduled || this.#underWay >= MOST_GROUPS || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      void this.#run(this.#nextGroup());
    });
  }

  #nextGroup(): readonly Waiting[] {
    // Both connections get their share, so that this process and the server work at the same time.
    const share = Math.ceil(this.#waiting.length / (MOST_GROUPS - this.#underWay));
    const most = Math.min(LARGEST_GROUP, Math.max(LEAST_SHARE, share));
    let bytes = 0;
    let size = 0;
    for (const { append } of this.#waiting) {
      bytes += append.batch.bytes;
      if (size > 0 && (size >= most || bytes > LARGEST_GROUP_BYTES)) break;
      size += 1;
    }
    return this.#waiting.splice(0, size);
  }

  async #run(group: readonly Waiting[]): Promise<void> {
    this.#underWay += 1;
    this.#schedule();
    try {
      await this.#write(group);
    } finally {
      this.#underWay -= 1;
      this.#schedule();
    }
  }

  /** A refused batch, or an error that is about one, must not end the others: then each is tried alone. */
  async #write(group: readonly Waiting[]): Promise<void> {
    try {
      const code = await this.#call(group.map(({ append }) => append));
      for (const { resolve } of group) resolve(code);
    } catch (error) {
      const isAboutOne = group.length > 1 && !(isFault(error) && error.code === 'JOURNAL_CLOSED');
      if (isAboutOne) for (const one of group) await this.#write([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  async #call(group: readonly GroupedAppend[]): Promise<number> {
    const [only] = group;
    const call =
      only !== undefined && group.length === 1
        ? this.#link.query<ChangeRow>(APPEND_ALONE, valuesOf(only))
        : this.#link.query<ChangeRow>(APPEND, arraysOf(group));
    const { change = -APPEND_CODE.conflict } = (await call)[0] ?? {};
    if (change <= 0) return -change;
    this.#onWritten(changedRuns(group), change);
    return APPEND_CODE.written;
  }
}

/** The number of the change, or the code negated. */
interface ChangeRow {
  readonly change: number;
}

/** Those of the batches and those they sent messages to. */
const changedRuns = (group: readonly GroupedAppend[]): readonly RunId[] =>
  group.flatMap(({ run, batch }) => [run, ...batch.sends.map((sent) => sent.to)]);

/** In the order of the function's parameters, as below. */
function valuesOf(append: GroupedAppend): readonly unknown[] {
  const { number, tree, epoch, after, tip, batch } = append;
  const { status, outcome, more, records } = batch;
  const values = [number, tree, epoch, after, after + records.length, tip, status, outcome, more];
  return [...values, records.at(-1)?.at ?? null, batch.lines, ...(isPlain(batch) ? NO_MORE : moreOf([append]))];
}

/** Nothing but a few records. */
const isPlain = ({ records, consumed, sends }: TextBatch): boolean =>
  consumed.length === 0 && sends.length === 0 && records.every(({ large }) => large === null);

/** As many as `moreOf` returns. */
const NO_MORE: readonly null[] = Array.from({ length: 8 }, () => null);

/** Large bodies, consumed messages and messages to send. */
function moreOf(group: readonly GroupedAppend[]): readonly unknown[] {
  const large = group.flatMap(({ batch }) => batch.records.flatMap((record) => record.large ?? []));
  const sends = group.flatMap(({ batch }) => batch.sends);
  return [
    textArray(large.map(({ hash }) => hash)),
    textArray(large.map(({ body }) => body)),
    bigintArray(group.flatMap(({ number, batch }) => batch.consumed.map(() => number))),
    textArray(group.flatMap(({ batch }) => batch.consumed)),
    textArray(sends.map(({ run }) => run)),
    textArray(sends.map(({ id }) => id)),
    textArray(sends.map(({ message }) => message)),
    bigintArray(sends.map(({ sum }) => sum)),
  ];
}

/** In the order of the function's parameters. */
function arraysOf(group: readonly GroupedAppend[]): readonly unknown[] {
  const rows = rowsOf(group);
  const { heads, nth, many } = numbersIn(rows);
  return [
    bigintArray(rows.map(({ number }) => number)),
    integerArray(rows.map(({ append }) => append?.epoch ?? null)),
    integerArray(rows.map(({ append }) => append?.after ?? null)),
    integerArray(rows.map(({ append }) => append && append.after + append.batch.records.length)),
    textArray(rows.map(({ append }) => append && append.tip)),
    textArray(rows.map(({ append }) => append && append.batch.status)),
    textArray(rows.map(({ append }) => append && append.batch.outcome)),
    textArray(rows.map(({ append }) => append && append.batch.more)),
    doubleArray(rows.map(({ append }) => append?.batch.records.at(-1)?.at ?? null)),
    textArray(rows.map(({ append }) => append && append.batch.lines)),
    integerArray(heads),
    integerArray(nth),
    integerArray(many),
    ...moreOf(group),
  ];
}

/** A row that an append changes: that of a run, or only the commit number in that of the tree's head. */
interface ChangedRow {
  readonly number: number;
  readonly tree: number;
  readonly append: GroupedAppend | null;
}

const isHead = ({ number, tree }: RunNumbers): boolean => number === tree;

/** In the order in which they are locked: heads last, by number. */
function rowsOf(group: readonly GroupedAppend[]): readonly ChangedRow[] {
  const rows = new Map<number, ChangedRow>();
  for (const { tree, batch } of group)
    if (batch.records.length > 0) rows.set(tree, { number: tree, tree, append: null });
  for (const append of group) rows.set(append.number, { number: append.number, tree: append.tree, append });
  return [...rows.values()].sort((a, b) => Number(isHead(a)) - Number(isHead(b)) || a.number - b.number);
}

/** For each row the place of its tree's head, from 1, which of the tree's batches with records it is, and for a head how many these are. */
function numbersIn(rows: readonly ChangedRow[]) {
  const placeOf = new Map(rows.map(({ number }, index) => [number, index + 1]));
  const heads = rows.map(({ tree }) => placeOf.get(tree) ?? 0);
  const many = rows.map(() => 0);
  const nth = rows.map(({ append }, index) => {
    if (append === null || append.batch.records.length === 0) return 0;
    const head = (heads[index] ?? 0) - 1;
    return (many[head] = (many[head] ?? 0) + 1);
  });
  return { heads, nth, many };
}

export function columns<Row, Key extends keyof Row>(rows: readonly Row[], keys: readonly Key[]): readonly Row[Key][][] {
  return keys.map((key) => rows.map((row) => row[key]));
}
