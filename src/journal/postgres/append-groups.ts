import { isFault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { DatabaseLink } from './database-link.ts';
import { linesOf, type TextBatch } from './written-batch.ts';
import { bigintArray, doubleArray, integerArray, textArray } from './array-parameter.ts';
import { APPEND, APPEND_ALONE } from './statements.ts';

/** Of the rows of a run and of its tree. */
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

  /** An error that is about one batch must not end the others: then each is tried alone. */
  async #write(group: readonly Waiting[]): Promise<void> {
    try {
      const codes = await this.#call(group.map(({ append }) => append));
      for (const [index, { resolve }] of group.entries()) resolve(codes[index] ?? APPEND_CODE.conflict);
    } catch (error) {
      const isAboutOne = group.length > 1 && !(isFault(error) && error.code === 'JOURNAL_CLOSED');
      if (isAboutOne) for (const one of group) await this.#write([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  async #call(group: readonly GroupedAppend[]): Promise<readonly number[]> {
    const [only] = group;
    if (only !== undefined && group.length === 1 && isPlain(only)) return this.#callAlone(only);
    const [row] = await this.#link.query<{ codes: readonly number[]; change: number | null }>(APPEND, arraysOf(group));
    const { codes = [], change } = row ?? {};
    if (change !== undefined && change !== null) this.#onWritten(changedRuns(group, codes), change);
    return codes;
  }

  async #callAlone(append: GroupedAppend): Promise<readonly number[]> {
    const [row] = await this.#link.query<{ change: number }>(APPEND_ALONE, valuesOf(append));
    const { change = -APPEND_CODE.conflict } = row ?? {};
    if (change <= 0) return [-change];
    this.#onWritten([append.run], change);
    return [APPEND_CODE.written];
  }
}

/** Those of the batches and those they sent messages to. */
function changedRuns(group: readonly GroupedAppend[], codes: readonly number[]): readonly RunId[] {
  return group.flatMap(({ run, batch }, index) =>
    codes[index] === APPEND_CODE.written ? [run, ...batch.sends.map((sent) => sent.to)] : [],
  );
}

/** Nothing but a few records. */
const isPlain = ({ batch: { records, consumed, sends } }: GroupedAppend): boolean =>
  records.length > 0 && consumed.length === 0 && sends.length === 0 && records.every(({ large }) => large === null);

/** In the order of the function's parameters, as below. */
function valuesOf({ number, tree, epoch, after, tip, batch }: GroupedAppend): readonly unknown[] {
  const { status, outcome, more, records } = batch;
  const seq = after + records.length;
  return [number, tree, epoch, after, seq, tip, status, outcome, more, records.at(-1)?.at, linesOf(records)];
}

/** In the order of the function's parameters. */
function arraysOf(group: readonly GroupedAppend[]): readonly unknown[] {
  const large = group.flatMap(({ batch }) => batch.records.flatMap((record) => record.large ?? []));
  const sends = group.flatMap(({ batch }) => batch.sends);
  const trees = treesOf(group);
  return [
    bigintArray(group.map(({ number }) => number)),
    integerArray(group.map(({ epoch }) => epoch)),
    integerArray(group.map(({ after }) => after)),
    integerArray(group.map(({ after, batch }) => after + batch.records.length)),
    textArray(group.map(({ tip }) => tip)),
    textArray(group.map(({ batch }) => batch.status)),
    textArray(group.map(({ batch }) => batch.outcome)),
    textArray(group.map(({ batch }) => batch.more)),
    doubleArray(group.map(({ batch }) => batch.records.at(-1)?.at ?? null)),
    textArray(group.map(({ batch }) => (batch.records.length === 0 ? null : linesOf(batch.records)))),
    integerArray(trees.places),
    integerArray(trees.nth),
    bigintArray(trees.numbers),
    integerArray(trees.counts),
    textArray(large.map(({ hash }) => hash)),
    textArray(large.map(({ body }) => body)),
    integerArray(batchNumbers(group, 'consumed')),
    textArray(group.flatMap(({ batch }) => batch.consumed)),
    integerArray(batchNumbers(group, 'sends')),
    textArray(sends.map(({ run }) => run)),
    textArray(sends.map(({ id }) => id)),
    textArray(sends.map(({ message }) => message)),
    bigintArray(sends.map(({ sum }) => sum)),
  ];
}

/** The trees that get records, by number; for each batch which of them is its tree, from 1, and which of its batches this is. */
function treesOf(group: readonly GroupedAppend[]) {
  const numbers = [...new Set(group.flatMap(({ tree, batch }) => (batch.records.length === 0 ? [] : [tree])))];
  numbers.sort((a, b) => a - b);
  const placeOf = new Map(numbers.map((tree, index) => [tree, index + 1]));
  const counts = numbers.map(() => 0);
  const places = group.map(({ tree }) => placeOf.get(tree) ?? 0);
  const nth = group.map(({ batch }, index) => {
    if (batch.records.length === 0) return 0;
    const place = (places[index] ?? 0) - 1;
    return (counts[place] = (counts[place] ?? 0) + 1);
  });
  return { numbers, counts, places, nth };
}

/** For each of such rows of the group, which batch it belongs to, from 1. */
const batchNumbers = (group: readonly GroupedAppend[], rows: 'consumed' | 'sends'): readonly number[] =>
  group.flatMap(({ batch }, index) => batch[rows].map(() => index + 1));

export function columns<Row, Key extends keyof Row>(rows: readonly Row[], keys: readonly Key[]): readonly Row[Key][][] {
  return keys.map((key) => rows.map((row) => row[key]));
}
