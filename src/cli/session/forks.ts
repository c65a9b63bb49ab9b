import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';

/** So many of the newest runs are looked at: a fork is mostly made soon after its run. */
const MOST = 200;

/** The runs that were forked from this one, oldest first. Nothing in the run itself tells of them. */
export async function forksOf(journal: Journal, run: RunId): Promise<readonly RunId[]> {
  const own = await journal.run(run);
  if (own === undefined || own.parent !== null) return [];
  const all = (await journal.runs({ parent: null })).slice(0, MOST);
  const later = all.filter((info) => info.run !== run && info.workflow === own.workflow && info.at >= own.at);
  const forks = await Promise.all(
    later.map(async (info) => ((await isFork(journal, info.run, run)) ? info.run : null)),
  );
  return forks.filter((fork) => fork !== null).toReversed();
}

/** One damaged run must not hide the others. */
async function isFork(journal: Journal, candidate: RunId, run: RunId): Promise<boolean> {
  const records = await journal.read(candidate).catch(() => []);
  // The last one counts: a fork of a fork has both in its history.
  const forked = records.findLast(({ fact }) => fact.kind === 'run.forked')?.fact;
  return forked?.kind === 'run.forked' && forked.from.run === run;
}
