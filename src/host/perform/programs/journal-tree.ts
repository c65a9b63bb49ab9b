import type { Fact } from '../../../core/fact.ts';
import type { RunId } from '../../../core/ids.ts';
import type { Journal } from '../../../journal/port.ts';

/** One fact of a tree of runs. */
export interface TreeRecord<F extends Fact = Fact> {
  readonly run: RunId;
  readonly at: number;
  readonly fact: F;
}

/** What a run and all below it wrote down, in the order in which it happened. */
export async function treeRecords(journal: Journal, root: RunId): Promise<readonly TreeRecord[]> {
  const all: TreeRecord[] = [];
  const runs = [root];
  for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
    const owner = run;
    for (const { at, fact } of await journal.read(run)) all.push({ run: owner, at, fact });
    // The newest come first there; records of one moment stay in the order of the runs.
    const below = await journal.runs({ parent: run });
    runs.push(...below.map((info) => info.run).toReversed());
  }
  return all.toSorted((one, other) => one.at - other.at);
}

/** Only those of one kind. */
export function recordsOf<Kind extends Fact['kind']>(
  records: readonly TreeRecord[],
  kind: Kind,
): readonly TreeRecord<Extract<Fact, { kind: Kind }>>[] {
  return records.filter((record): record is TreeRecord<Extract<Fact, { kind: Kind }>> => record.fact.kind === kind);
}
