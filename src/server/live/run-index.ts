import { setImmediate as turn } from 'node:timers/promises';
import type { RunId } from '../../core/model/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';

/** Runs that moved, came, or whose process went. */
export type ChangedRuns = ReadonlySet<RunId>;

/**
 * All runs there are, as the journal lists them, without reading one of them. The whole list is read once; then new runs are
 * found from its end, and those that are not over are looked at again. What is over hardly ever changes, so it is read again
 * now and then, the less often the longer that takes.
 */
export class RunIndex {
  readonly #journal: Pick<Journal, 'run' | 'runs'>;
  readonly #pace: ReadingPace;
  /** In the order in which they began. */
  readonly #infos = new Map<RunId, RunInfo>();
  readonly #children = new Map<RunId, RunId[]>();
  readonly #listeners = new Set<(changed: ChangedRuns) => void>();
  #wholeDueAt = -Infinity;
  #surveying: Promise<void> | null = null;
  #following: Promise<void> | null = null;

  constructor(journal: Pick<Journal, 'run' | 'runs'>, pace: ReadingPace = PACE) {
    this.#journal = journal;
    this.#pace = pace;
  }

  onChange(listener: (changed: ChangedRuns) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  info(run: RunId): RunInfo | undefined {
    return this.#infos.get(run);
  }

  /** The newest first. */
  roots(): readonly RunInfo[] {
    return [...this.#infos.values()].filter(({ parent }) => parent === null).reverse();
  }

  /** A run and all below it, parents before their children. */
  tree(run: RunId): readonly RunInfo[] {
    const info = this.#infos.get(run);
    if (info === undefined) return [];
    return [info, ...(this.#children.get(run) ?? []).flatMap((child) => this.tree(child))];
  }

  /** Brings it up to what the journal says now. A survey under way may have read older entries: later callers share the next one. */
  survey(): Promise<void> {
    if (this.#surveying !== null) return (this.#following ??= this.#follow(this.#surveying));
    this.#surveying = this.#survey().finally(() => {
      this.#surveying = null;
    });
    return this.#surveying;
  }

  async #follow(underWay: Promise<void>): Promise<void> {
    await underWay.catch(() => undefined);
    this.#following = null;
    await this.survey();
  }

  /** The same for these alone, also where they are over. One that is new is found in its place: others may have begun before it. */
  async look(runs: readonly RunId[]): Promise<void> {
    const changed = new Set<RunId>();
    for (const [position, run] of runs.entries()) {
      const info = await this.#journal.run(run);
      if (info !== undefined && !this.#infos.has(run)) for (const fresh of await this.#findNew()) changed.add(fresh);
      else if (info !== undefined && this.#take(info)) changed.add(run);
      if (position % LOOKS_A_TURN === LOOKS_A_TURN - 1) await turn();
    }
    this.#tell(changed);
  }

  /** Only those that began since: cheap enough to be asked all the time. */
  async discover(): Promise<void> {
    if (this.#infos.size === 0) return await this.survey();
    this.#tell(await this.#findNew());
  }

  async #survey(): Promise<void> {
    const isWhole = performance.now() >= this.#wholeDueAt;
    this.#tell(isWhole ? await this.#readAll() : new Set([...(await this.#findNew()), ...(await this.#lookAtOpen())]));
  }

  async #readAll(): Promise<ChangedRuns> {
    const began = performance.now();
    const isFirst = this.#wholeDueAt === -Infinity;
    const all = await this.#journal.runs();
    const changed = new Set(all.toReversed().flatMap((info) => (this.#take(info) ? [info.run] : [])));
    const tookMs = performance.now() - began;
    this.#wholeDueAt = began + Math.max(this.#pace.leastMs, this.#pace.share * tookMs);
    // The first survey has nothing to compare with, so no run counts as changed.
    return isFirst ? new Set() : changed;
  }

  async #findNew(): Promise<ChangedRuns> {
    for (let limit = 1; ; limit *= 8) {
      const newest = await this.#journal.runs({ limit });
      const known = newest.findIndex(({ run }) => this.#infos.has(run));
      if (known < 0 && newest.length === limit) continue;
      const fresh = newest.slice(0, known < 0 ? undefined : known).toReversed();
      for (const info of fresh) this.#take(info);
      return new Set(fresh.map(({ run }) => run));
    }
  }

  async #lookAtOpen(): Promise<ChangedRuns> {
    const changed = new Set<RunId>();
    let looked = 0;
    for (const { run, status } of this.#infos.values()) {
      if (status === 'settled') continue;
      const info = await this.#journal.run(run);
      if (info !== undefined && this.#take(info)) changed.add(run);
      looked += 1;
      if (looked % LOOKS_A_TURN === 0) await turn();
    }
    return changed;
  }

  /** Whether it says anything new. Answers of a database may come in another order than they were given in. */
  #take(info: RunInfo): boolean {
    const before = this.#infos.get(info.run);
    if (before !== undefined && (info.seq < before.seq || isSame(before, info))) return false;
    this.#infos.set(info.run, info);
    if (before === undefined && info.parent !== null) {
      const siblings = this.#children.get(info.parent);
      if (siblings === undefined) this.#children.set(info.parent, [info.run]);
      else siblings.push(info.run);
    }
    return true;
  }

  #tell(changed: ChangedRuns): void {
    if (changed.size === 0) return;
    for (const listener of this.#listeners) listener(changed);
  }
}

/** How often the whole list is read. */
export interface ReadingPace {
  readonly leastMs: number;
  /** So many times as long as the last reading took lies between two. */
  readonly share: number;
}

/** Reading the whole list may take a fiftieth of the time. */
const PACE: ReadingPace = { leastMs: 1000, share: 50 };
const LOOKS_A_TURN = 64;

const isSame = (a: RunInfo, b: RunInfo): boolean =>
  a.seq === b.seq && a.status === b.status && a.driven === b.driven && a.outcome === b.outcome;
