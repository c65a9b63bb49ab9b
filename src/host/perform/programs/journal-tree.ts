import type { Fact, JournalRecord } from '../../../core/fact.ts';
import { childRunId, type RunId } from '../../../core/ids.ts';
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
    const records = await journal.read(run);
    for (const { at, fact } of records) all.push({ run: owner, at, fact });
    for (const other of leftBehind(records)) if ((await journal.run(other)) !== undefined) runs.push(other);
    // The newest come first there; records of one moment stay in the order of the runs.
    const below = await journal.runs({ parent: run });
    runs.push(...below.map((info) => info.run).toReversed());
  }
  return all.toSorted((one, other) => one.at - other.at);
}

/** A fork has copies of the runs that were under way; those that had ended stay below the run it left. */
function leftBehind(records: readonly JournalRecord[]): readonly RunId[] {
  return records.flatMap(({ fact }, at) => {
    if (fact.kind !== 'run.forked') return [];
    const before = records.slice(0, at).map((record) => record.fact);
    const ended = new Set(before.flatMap((one) => (one.kind === 'task.ended' ? [one.task] : [])));
    const calls = before.flatMap((one) => (one.kind === 'task.started' && one.work.kind === 'call' ? [one.task] : []));
    return calls.filter((task) => ended.has(task)).map((task) => childRunId(fact.from.run, task));
  });
}

/** Only those of one kind. */
export function recordsOf<Kind extends Fact['kind']>(
  records: readonly TreeRecord[],
  kind: Kind,
): readonly TreeRecord<Extract<Fact, { kind: Kind }>>[] {
  return records.filter((record): record is TreeRecord<Extract<Fact, { kind: Kind }>> => record.fact.kind === kind);
}
