import { Fault } from '../../core/model/fault.ts';
import type { PostgresJournal } from '../../journal/postgres/shared-journal.ts';
import { workerName } from './worker-name.ts';

/** More than clocks that are set by a network differ, and less than a person notices. */
const MOST_SKEW_MS = 60_000;

/** Harmless oddities of a starting worker: leases and order do not depend on its clock. */
export async function workerWarnings(
  journal: Pick<PostgresJournal, 'now' | 'workers'>,
  version: string,
): Promise<readonly Fault[]> {
  const before = Date.now();
  const theirs = await journal.now();
  const skewMs = (before + Date.now()) / 2 - theirs;
  const others = (await journal.workers()).filter((one) => one.isAlive && one.work !== null && one.version !== version);
  return [
    ...(Math.abs(skewMs) > MOST_SKEW_MS ? [skewWarning(skewMs)] : []),
    ...others.map(
      (other) =>
        new Fault('WORKER_VERSION', `Worker ${workerName(other)} runs Troupe ${other.version}, this one ${version}.`, {
          hint: 'Use one version on all workers: drain them, upgrade, start them again.',
        }),
    ),
  ];
}

function skewWarning(skewMs: number): Fault {
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  const side = skewMs > 0 ? 'ahead of' : 'behind';
  return new Fault('CLOCK_OFF', `The clock of this machine is ${minutes} minutes ${side} the database's.`, {
    hint: 'Set the clock. Runs still keep their order, but times in lists and logs are wrong.',
  });
}
