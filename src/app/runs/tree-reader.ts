import type { JournalRecord } from '../../core/record/fact.ts';
import { bodyHash, isRunWithin, rootRunId, type RunId, runId } from '../../core/model/ids.ts';
import type { Journal, RunInfo, StoredRecord, TreeRecord } from '../../journal/port.ts';
import { inTreeOrder } from '../../protocol/history/tree-order.ts';
import { isFault } from '../../core/model/fault.ts';
import type { RunForked } from '../../core/record/files-fact.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { RunRecord } from '../../protocol/history/run-record.ts';

export type TreeJournal = Pick<Journal, 'read' | 'run' | 'runs' | 'tree'>;

/** A record of a run or of one below it. */
export interface ReadRecord extends RunRecord {
  readonly record: StoredRecord;
  /** It belongs to the run that this one was forked from: known here, but not done here. */
  readonly isInherited: boolean;
}

/** Reads a run and all runs below it, and reads on as they grow: each record once, in the order of their commits. */
export class TreeReader {
  readonly #journal: TreeJournal;
  readonly #top: RunId;
  readonly #seen = new Set<RunId>();
  #commit = 0;

  constructor(journal: TreeJournal, top: RunId) {
    this.#journal = journal;
    this.#top = top;
  }

  /** Records of any process since the last call. */
  async readOn(): Promise<readonly ReadRecord[]> {
    const news = await this.#journal.tree(rootRunId(this.#top), this.#commit);
    this.#commit = news.at(-1)?.commit ?? this.#commit;
    const own = news.filter(({ run }) => isRunWithin(run, this.#top));
    const forks = this.#forksIn(own);
    return own.map(({ run, ...record }) => ({ run, record, isInherited: record.seq < (forks.get(run) ?? 0) }));
  }

  /** A fork is written whole when it is made, so the first look sees where its own history begins. */
  #forksIn(news: readonly TreeRecord[]): ReadonlyMap<RunId, number> {
    const forks = news.filter(({ run, fact }) => fact.kind === 'run.forked' && !this.#seen.has(run));
    for (const { run } of news) this.#seen.add(run);
    return new Map(forks.map(({ run, seq }) => [run, seq]));
  }
}

/** A run and all below it, those above before those below. */
export async function runsBelow(journal: Pick<Journal, 'runs'>, top: RunId): Promise<readonly RunInfo[]> {
  const tree = await journal.runs({ root: rootRunId(top) });
  const depth = ({ run }: RunInfo): number => run.split('/').length;
  return tree.filter(({ run }) => isRunWithin(run, top)).toSorted((one, other) => depth(one) - depth(other));
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
 * made: it continues from their results, which its own journal does not have.
 */
export async function readTree(journal: TreeJournal, root: RunId): Promise<readonly ReadRecord[]> {
  const own = await new TreeReader(journal, root).readOn();
  const { forked, until } = forkIn(own.flatMap(({ run, record }) => (run === root ? [record] : [])));
  if (forked === null) return own;
  const taken = new Set(own.map(({ run }) => run));
  const before = (await readOrigin(journal, forked.from.run)).filter(
    ({ run, record }) =>
      run !== forked.from.run && record.commit <= until && !taken.has(counterpart(run, forked, root)),
  );
  return inTreeOrder([...before, ...own]);
}

/** The last one counts: a fork of a fork has both in its history. `until`: the commit of the record that it goes on from. */
function forkIn(records: readonly StoredRecord[]): { readonly forked: RunForked | null; readonly until: number } {
  const fact = records.findLast((record) => record.fact.kind === 'run.forked')?.fact;
  if (fact?.kind !== 'run.forked') return { forked: null, until: 0 };
  return { forked: fact, until: records[fact.from.seq - 1]?.commit ?? 0 };
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

/** Child runs under way were copied under the name of the fork. */
const counterpart = (run: RunId, { from }: RunForked, root: RunId): RunId =>
  runId(run.startsWith(`${from.run}/`) ? `${root}${run.slice(from.run.length)}` : run);

/** The definitions of a tree's runs, by hash. Unreadable ones are left out. */
export async function readDefinitions(
  journal: Journal,
  records: readonly RunRecord[],
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
