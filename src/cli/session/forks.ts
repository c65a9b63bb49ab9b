import type { RunId } from '../../core/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';

type Runs = Pick<Journal, 'read' | 'run' | 'runs'>;

/** So many of the newest runs are looked at: a fork is mostly made soon after its run. */
const MOST = 200;

/** The runs that were forked from this one, oldest first. Nothing in the run itself tells of them. */
export async function forksOf(journal: Runs, run: RunId): Promise<readonly RunId[]> {
  const own = await journal.run(run);
  if (own === undefined || own.parent !== null) return [];
  const began = await beginningOf(journal, run);
  const all = (await journal.runs({ parent: null })).slice(0, MOST);
  const later = all.filter((info) => info.run !== run && info.workflow === own.workflow && info.at >= own.at);
  const forks: RunId[] = [];
  for (const info of later.toReversed()) {
    // A fork has the records of its run, the first one among them.
    const isKin = (await beginningOf(journal, info.run).catch(() => null)) === began;
    if (isKin && (await leftBy(journal, info).catch(() => null)) === run) forks.push(info.run);
  }
  return forks;
}

/** When the first record was written. */
async function beginningOf(journal: Runs, run: RunId): Promise<number | undefined> {
  const [first] = await journal.read(run, 0, 1);
  return first?.at;
}

const PIECE = 256;

/** The run that a fork comes from. The last one counts: a fork of a fork has both in its history, which ends when it was made. */
async function leftBy(journal: Runs, { run, at }: RunInfo): Promise<RunId | null> {
  let left: RunId | null = null;
  for (let after = 0; ;) {
    const records = await journal.read(run, after, PIECE);
    for (const { fact } of records) if (fact.kind === 'run.forked') left = fact.from.run;
    const last = records.at(-1);
    if (last === undefined || last.at > at) return left;
    after = last.seq;
  }
}
