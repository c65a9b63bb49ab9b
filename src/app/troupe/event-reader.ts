import type { Fact } from '../../core/fact.ts';
import { applyRecord } from '../../core/fold.ts';
import type { RunId } from '../../core/ids.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { isAtRest } from '../../core/work-clock.ts';
import type { Journal } from '../../journal/port.ts';
import { followRun } from '../runs/follow-run.ts';
import { TreeReader } from '../runs/tree-reader.ts';

/** A record of a run or of a run below it, in the shape that `troupe run --json` prints. */
export type RunEvent = Fact & { readonly run: RunId; readonly seq: number; readonly at: number };

/**
 * `waiting`: only a person can let it go on. `left`: no process drives it, although it could go on. `ended`: it is over, and its
 * result is where it was asked for.
 */
export type RunStand = 'going' | 'waiting' | 'left' | 'ended';

/** Reads a run as it grows, and knows where the run stands after what was read. */
export class EventReader {
  readonly #journal: Journal;
  readonly #run: RunId;
  readonly #reader: TreeReader;
  #root: Snapshot | null = null;

  constructor(journal: Journal, run: RunId) {
    this.#journal = journal;
    this.#run = run;
    this.#reader = new TreeReader(journal, run);
  }

  /** What happened, then what happens, until the run stands in one of these ways. */
  async *events(until: ReadonlySet<RunStand>, signal?: AbortSignal): AsyncGenerator<RunEvent> {
    const records = followRun(this.#journal, this.#run, {
      isOver: async () => until.has(await this.stand()),
      reader: this.#reader,
      ...(signal === undefined ? {} : { signal }),
    });
    for await (const { run, record } of records) {
      if (run === this.#run) this.#root = applyRecord(this.#root, record);
      yield { ...record.fact, run, seq: record.seq, at: record.at };
    }
  }

  /** Where the run stands after what was read so far. */
  async stand(): Promise<RunStand> {
    const info = await this.#journal.run(this.#run);
    // A run that is over is driven until its result is delivered.
    if (info?.status === 'settled') return info.driven ? 'going' : 'ended';
    if (this.#root !== null && isAtRest(this.#root.clock)) return 'waiting';
    return info?.driven === true ? 'going' : 'left';
  }
}
