import type { JournalRecord } from '../../../core/fact.ts';
import type { RunId } from '../../../core/ids.ts';
import type { Journal } from '../../../journal/port.ts';

export type FeedJournal = Pick<Journal, 'read' | 'run' | 'runs'>;

/** A record of a run or of one below it. */
export interface FedRecord {
  readonly run: RunId;
  readonly record: JournalRecord;
  /** It belongs to the run that this one was forked from: known here, but not done here. */
  readonly isInherited: boolean;
}

/** The records of a run and of all below it: what there is, in the order of time, then what comes. Each once. */
export class RunFeed {
  readonly #journal: FeedJournal;
  readonly #root: RunId;
  readonly #reached = new Map<RunId, number>();

  constructor(journal: FeedJournal, root: RunId) {
    this.#journal = journal;
    this.#root = root;
  }

  /** What was written since the last time, by whomever. */
  async readOn(): Promise<readonly FedRecord[]> {
    const found: FedRecord[] = [];
    await this.#readTree(this.#root, found);
    return inTime(found);
  }

  /** The same where the records are at hand already; what is missing between is read. */
  async take(news: readonly Pick<FedRecord, 'run' | 'record'>[]): Promise<readonly FedRecord[]> {
    const found: FedRecord[] = [];
    for (const { run, record } of news) {
      const reached = this.#reached.get(run) ?? 0;
      if (record.seq <= reached) continue;
      if (record.seq === reached + 1 && reached > 0) this.#add(run, [record], found);
      else this.#add(run, await this.#journal.read(run, reached), found);
    }
    return found;
  }

  async #readTree(run: RunId, found: FedRecord[]): Promise<void> {
    const info = await this.#journal.run(run);
    const reached = this.#reached.get(run) ?? 0;
    if (info !== undefined && info.seq > reached) this.#add(run, await this.#journal.read(run, reached), found);
    for (const { run: child } of await this.#journal.runs({ parent: run })) await this.#readTree(child, found);
  }

  #add(run: RunId, records: readonly JournalRecord[], found: FedRecord[]): void {
    found.push(...fedRecords(run, records, !this.#reached.has(run)));
    const last = records.at(-1);
    if (last !== undefined) this.#reached.set(run, last.seq);
  }
}

/** All records of these runs in the order of time; runs above must come before those below. */
export async function treeRecords(journal: FeedJournal, runs: readonly RunId[]): Promise<readonly FedRecord[]> {
  const found: FedRecord[] = [];
  for (const run of runs) for (const fed of fedRecords(run, await journal.read(run), true)) found.push(fed);
  return runs.length === 1 ? found : inTime(found);
}

/** A fork is written whole when it is made, so the first look sees where its own history begins. */
function fedRecords(run: RunId, records: readonly JournalRecord[], isFirst: boolean): readonly FedRecord[] {
  const own = isFirst ? records.findLastIndex(({ fact }) => fact.kind === 'run.forked') : -1;
  return records.map((record, index) => ({ run, record, isInherited: index < own }));
}

/** Runs above come first where two were written at the same time. */
const inTime = (records: readonly FedRecord[]): readonly FedRecord[] =>
  records.toSorted((a, b) => a.record.at - b.record.at);
