import { isRunBelow } from '../../../core/fold/open-children.ts';
import type { Fact, JournalRecord } from '../../../core/record/fact.ts';
import { childRunId, type RunId, type TaskId } from '../../../core/model/ids.ts';
import { byCommit } from '../../../core/record/stored-record.ts';
import type { Journal, TreeRecord } from '../../../journal/port.ts';

/** One fact of a tree of runs. */
export interface JournalTreeRecord<F extends Fact = Fact> extends TreeRecord {
  readonly fact: F;
}

/** All facts of a run and all runs below it, in the order in which they happened. */
export async function treeEntries(journal: Journal, root: RunId): Promise<readonly JournalTreeRecord[]> {
  const all: JournalTreeRecord[] = [];
  const runs = [root];
  for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
    const owner = run;
    const records = await journal.read(run);
    for (const record of records) all.push({ ...record, run: owner });
    runs.push(...(await leftBehind(journal, records)));
    const below = await journal.runs({ parent: run });
    runs.push(...below.map((info) => info.run));
  }
  // Copies in a fork have the commit numbers of their originals, so the order holds for both.
  return all.toSorted(byCommit);
}

/** A fork has copies of the runs that were in progress; those that had ended stay below the run it was made from. */
async function leftBehind(journal: Journal, records: readonly JournalRecord[]): Promise<readonly RunId[]> {
  const at = records.findLastIndex(({ fact }) => fact.kind === 'run.forked');
  const before = records.slice(0, Math.max(0, at)).map(({ fact }) => fact);
  const ended = new Set(before.flatMap((fact) => (fact.kind === 'task.ended' ? [fact.task] : [])));
  const calls = before.flatMap((fact) => (fact.kind === 'task.started' && isRunBelow(fact.work) ? [fact.task] : []));
  const found: RunId[] = [];
  for (const task of calls.filter((one) => ended.has(one))) found.push(...(await childOf(journal, records, task)));
  return found;
}

async function childOf(journal: Journal, records: readonly JournalRecord[], task: TaskId): Promise<readonly RunId[]> {
  for (let from = originOf(records); from !== null; from = originOf(await journal.read(from))) {
    const child = childRunId(from, task);
    if ((await journal.run(child)) !== undefined) return [child];
    if ((await journal.run(from)) === undefined) return [];
  }
  return [];
}

function originOf(records: readonly JournalRecord[]): RunId | null {
  const fact = records.findLast((record) => record.fact.kind === 'run.forked')?.fact;
  return fact?.kind === 'run.forked' ? fact.from.run : null;
}

/** Only those of one kind. */
export function recordsOf<Kind extends Fact['kind']>(
  records: readonly JournalTreeRecord[],
  kind: Kind,
): readonly JournalTreeRecord<Extract<Fact, { kind: Kind }>>[] {
  return records.filter(
    (record): record is JournalTreeRecord<Extract<Fact, { kind: Kind }>> => record.fact.kind === kind,
  );
}
