import { rootRunId, type RunId } from '../../core/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { Entries } from './entries.ts';

/**
 * Queues runs that have something to do, that no live process drives and that are in no queue: their entry ended too early, the
 * process that drove them outside the queue died, or someone answered while their last entry was ending.
 */
export async function queueForgotten(entries: Entries, journal: Journal): Promise<void> {
  const forgotten = await undriven(journal);
  if (forgotten.length === 0) return;
  const open = await entries.openRuns();
  for (const { run, project } of forgotten) {
    if (open.has(run)) continue;
    const newest = (await entries.of(run)).toSorted((one, other) => other.n - one.n)[0];
    await entries.add(run, { project }, newest?.end?.failures ?? 0);
  }
}

async function undriven(journal: Journal): Promise<readonly RunInfo[]> {
  const running = await journal.runs({ parent: null, status: 'running' });
  const addressed = new Set((await journal.addressed()).map((run) => rootRunId(run)));
  for (const { run } of running) addressed.delete(run);
  const others = await Promise.all([...addressed].map((run: RunId) => journal.run(run)));
  return [...running, ...others.filter((info) => info !== undefined)].filter(({ driven }) => !driven);
}
