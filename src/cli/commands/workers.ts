import { listWorkers, workerLines } from '../../app/workers/run-worker.ts';
import type { WorkerLine } from '../../protocol/operations/answers/worker.ts';
import { ageText } from '../../core/look/amount-text.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { whole } from '../../protocol/whole-list.ts';
import type { Invocation } from '../invocation.ts';
import { table } from '../terminal/table.ts';
import { printAnswer } from '../terminal/terminal.ts';
import { withLooking } from './carry-out.ts';

/** `troupe workers`: who drives runs of the shared journal. */
export async function workersCommand(invocation: Invocation): Promise<void> {
  const workers = await withLooking(invocation, async ({ store }) =>
    workerLines(store.journal, await listWorkers(store)),
  );
  printAnswer(invocation.terminal, { kind: 'workers', ...whole(workers) }, () =>
    workers.length === 0 ? NONE : listText(workers),
  );
}

const NONE = 'There are no workers. Start one with: troupe worker --journal postgres://USER@HOST:5432/DATABASE';

function listText(workers: readonly WorkerLine[]): string {
  const now = Date.now();
  const rows = workers.map((worker) => [
    oneLine(worker.name, 40),
    statusOf(worker, now),
    ageText(now - worker.startedAt),
    `${worker.runs.length} of ${worker.slots}`,
    oneLine(worker.version, 20),
    oneLine(worker.offers.join(', '), 160),
  ]);
  return table([['WORKER', 'STATUS', 'AGE', 'RUNS', 'VERSION', 'OFFERS'], ...rows]);
}

function statusOf({ isAlive, isDraining, beatAt }: WorkerLine, now: number): string {
  if (!isAlive) return `gone for ${ageText(now - beatAt)}`;
  return isDraining ? 'draining' : 'alive';
}
