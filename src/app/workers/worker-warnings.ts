import type { PostgresJournal } from '../../journal/postgres/shared-journal.ts';
import { workerName } from './worker-name.ts';

/** More than clocks that are set by a network differ, and less than a person notices. */
const MOST_SKEW_MS = 60_000;

/** What is odd about a worker that starts, and harms no run: leases and orders do not go by clocks. */
export async function workerWarnings(
  journal: Pick<PostgresJournal, 'now' | 'workers'>,
  version: string,
  now: () => number = Date.now,
): Promise<readonly string[]> {
  const before = now();
  const theirs = await journal.now();
  const skewMs = (before + now()) / 2 - theirs;
  const others = (await journal.workers()).filter((one) => one.isAlive && one.work !== null && one.version !== version);
  return [
    ...(Math.abs(skewMs) > MOST_SKEW_MS ? [skewWarning(skewMs)] : []),
    ...others.map(
      (other) =>
        `Worker ${workerName(other)} runs Troupe ${other.version}, this one ${version}. Use one version on all workers.`,
    ),
  ];
}

function skewWarning(skewMs: number): string {
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  const side = skewMs > 0 ? 'ahead of' : 'behind';
  return `The clock of this machine is ${minutes} minutes ${side} the database's. Runs are in order all the same, but times in lists and logs are wrong: set the clock.`;
}
