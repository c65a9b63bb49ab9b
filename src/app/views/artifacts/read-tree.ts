import type { JournalRecord } from '../../../core/fact.ts';
import { isFault } from '../../../core/fault.ts';
import type { RunForked } from '../../../core/files-fact.ts';
import { bodyHash, runId, type RunId } from '../../../core/ids.ts';
import type { Definition } from '../../../core/role.ts';
import type { Journal } from '../../../journal/port.ts';
import type { TreeRecord } from '../../../protocol/history/tree-record.ts';
import { byMoment } from '../../../protocol/history/tree-order.ts';
import { TreeReader, type ReadRecord, type TreeJournal } from '../../runs/tree-reader.ts';

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
