import type { JournalRecord } from '../../core/fact.ts';
import { bodyHash, type RunId, runId } from '../../core/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import {
  byMoment,
  type LinkedRecord,
  type PlacedRecord,
  TreeLinks,
  TreeOrder,
} from '../../protocol/history/tree-order.ts';
import { isFault } from '../../core/fault.ts';
import type { RunForked } from '../../core/files-fact.ts';
import type { Definition } from '../../core/role.ts';
import type { TreeRecord } from '../../protocol/history/tree-record.ts';

export type TreeJournal = Pick<Journal, 'read' | 'run' | 'runs'>;

/** A record of a run or of one below it. */
export interface ReadRecord extends PlacedRecord {
  /** It belongs to the run that this one was forked from: known here, but not done here. */
  readonly isInherited: boolean;
}

interface Found extends LinkedRecord {
  readonly isInherited: boolean;
}

/** Reads a run and all runs below it, and reads on as they grow: each record once, in the order in which it happened. */
export class TreeReader {
  readonly #journal: TreeJournal;
  readonly #reached: Map<RunId, number>;
  readonly #links = new TreeLinks();
  readonly #order = new TreeOrder();

  constructor(journal: TreeJournal, root: RunId) {
    this.#journal = journal;
    this.#reached = new Map([[root, 0]]);
  }

  /** What was written since the last time, by any process; only of these runs where some are named. */
  async readOn(runs: Iterable<RunId> = this.#reached.keys()): Promise<readonly ReadRecord[]> {
    const found: Found[] = [];
    // The iteration also sees the runs below that are added on the way.
    for (const run of runs) {
      const reached = this.#reached.get(run) ?? 0;
      const info = await this.#journal.run(run);
      if (info !== undefined && info.seq > reached) this.#add(run, await this.#journal.read(run, reached), found);
    }
    return this.#order.take(found);
  }

  /** The same where the records are at hand already; what is missing between is read. */
  async take(news: readonly { readonly run: RunId; readonly record: JournalRecord }[]): Promise<readonly ReadRecord[]> {
    const found: Found[] = [];
    for (const { run, record } of news) {
      const reached = this.#reached.get(run) ?? 0;
      if (record.seq <= reached) continue;
      const isNext = record.seq === reached + 1 && reached > 0;
      this.#add(run, isNext ? [record] : await this.#journal.read(run, reached), found);
    }
    return this.#order.take(found);
  }

  /** A fork is written whole when it is made, so the first look sees where its own history begins. */
  #add(run: RunId, records: readonly JournalRecord[], found: Found[]): void {
    const isFirst = (this.#reached.get(run) ?? 0) === 0;
    const own = isFirst ? records.findLastIndex(({ fact }) => fact.kind === 'run.forked') : -1;
    for (const [index, record] of records.entries()) {
      const linked = this.#links.of(run, record);
      found.push({ ...linked, isInherited: index < own });
      this.#reached.set(run, record.seq);
      for (const child of linked.starts) if (!this.#reached.has(child)) this.#reached.set(child, 0);
    }
  }
}

/** A run and all below it, those above before those below. */
export async function runsBelow(journal: Pick<Journal, 'run' | 'runs'>, root: RunId): Promise<readonly RunInfo[]> {
  const info = await journal.run(root);
  const tree = info === undefined ? [] : [info];
  for (const { run } of tree) tree.push(...(await journal.runs({ parent: run })));
  return tree;
}

/** Waiting for the journal to change, without missing a change that came between two waits. */
export interface JournalChanges {
  /** Resolves at the next change, or after this time. */
  next(ms: number): Promise<void>;
  /** Ends the present wait. */
  readonly wake: () => void;
  close(): void;
}

export function watchChanges(journal: Journal): JournalChanges {
  let wake: () => void = () => undefined;
  let isPending = false;
  const changed = (): void => {
    isPending = true;
    wake();
  };
  const unsubscribe = journal.onChange(changed);
  return {
    wake: changed,
    close: unsubscribe,
    async next(ms) {
      if (!isPending) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, ms);
        wake = resolve;
        await promise;
        clearTimeout(timer);
      }
      isPending = false;
    },
  };
}

export interface FollowOptions {
  /** Asked when all there is was read: is that all? */
  readonly isOver: () => Promise<boolean>;
  /** Ends the waiting; the reason is thrown. */
  readonly signal?: AbortSignal;
}

/** How long a silent journal is trusted: a driver that was killed writes nothing to say so. */
const PATIENCE_MS = 500;

/** Records of a run and of its children: history first, in the order in which it happened, then what comes. */
export async function* followRun(journal: Journal, root: RunId, options: FollowOptions): AsyncGenerator<ReadRecord> {
  const { signal } = options;
  const reader = new TreeReader(journal, root);
  const changes = watchChanges(journal);
  signal?.addEventListener('abort', changes.wake, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      // Asked before reading: all that was written before the end is then certainly read.
      const isOver = await options.isOver();
      const news = await reader.readOn();
      yield* news;
      if (news.length > 0) continue;
      if (isOver) return;
      await changes.next(PATIENCE_MS);
    }
  } finally {
    signal?.removeEventListener('abort', changes.wake);
    changes.close();
  }
}

/**
 * The records of a run and of all below it, in order. A fork has those of its origin's children that were over when it was
 * made: it goes on from what they did, and no journal of its own says so.
 */
export async function readTree(journal: TreeJournal, root: RunId): Promise<readonly ReadRecord[]> {
  const own = await new TreeReader(journal, root).readOn();
  const { forked, at } = forkIn(own.flatMap(({ run, record }) => (run === root ? [record] : [])));
  if (forked === null) return own;
  const taken = new Set(own.map(({ run }) => run));
  const before = (await readOrigin(journal, forked.from.run)).filter(
    ({ run, record }) => run !== forked.from.run && record.at <= at && !taken.has(counterpart(run, forked, root)),
  );
  return [...before, ...own].toSorted(byMoment);
}

/** The last one counts: a fork of a fork has both in its history. `at`: when the record was written that it goes on from. */
function forkIn(records: readonly JournalRecord[]): { readonly forked: RunForked | null; readonly at: number } {
  const fact = records.findLast((record) => record.fact.kind === 'run.forked')?.fact;
  if (fact?.kind !== 'run.forked') return { forked: null, at: 0 };
  return { forked: fact, at: records[fact.from.seq - 1]?.at ?? 0 };
}

/** Its journal need not be there any more. */
async function readOrigin(journal: TreeJournal, run: RunId): Promise<readonly ReadRecord[]> {
  try {
    return await readTree(journal, run);
  } catch (error) {
    if (isFault(error) && error.code === 'RUN_UNKNOWN') return [];
    throw error;
  }
}

/** What was under way was copied under the name of the fork. */
const counterpart = (run: RunId, { from }: RunForked, root: RunId): RunId =>
  runId(run.startsWith(`${from.run}/`) ? `${root}${run.slice(from.run.length)}` : run);

/** What the runs of a tree are runs of, by hash. One that cannot be read is left out. */
export async function readDefinitions(
  journal: Journal,
  records: readonly TreeRecord[],
): Promise<ReadonlyMap<string, Definition>> {
  const hashes = new Set(records.flatMap(({ record: { fact } }) => definitionsIn(fact)));
  const definitions = new Map<string, Definition>();
  for (const hash of hashes) {
    try {
      definitions.set(hash, (await journal.getBody(bodyHash(hash))) as unknown as Definition);
    } catch (error) {
      if (!isFault(error)) throw error;
    }
  }
  return definitions;
}

/** A run begins with one, and a fork or a changed file may bring another. */
function definitionsIn(fact: JournalRecord['fact']): readonly string[] {
  return 'definition' in fact && typeof fact.definition === 'string' ? [fact.definition] : [];
}
