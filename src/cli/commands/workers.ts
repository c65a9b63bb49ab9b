import { listWorkers } from '../../app/workers/run-worker.ts';
import { ageText } from '../../core/amount-text.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { whole } from '../../protocol/whole-list.ts';
import type { Invocation } from '../invocation.ts';
import { table } from '../terminal/table.ts';
import { printAnswer } from '../terminal/terminal.ts';
import { withLooking } from './carry-out.ts';
import type { RegisteredWorker } from '../../journal/postgres/shared-journal.ts';

/** `troupe workers`: who drives runs of the shared journal. */
export async function workersCommand(invocation: Invocation): Promise<void> {
  const workers = await withLooking(invocation, ({ store }) => listWorkers(store));
  const items = workers.map(({ name: _name, ...worker }) => worker);
  printAnswer(invocation.terminal, { kind: 'workers', ...whole(items) }, () =>
    workers.length === 0 ? NONE : listText(workers),
  );
}

const NONE = 'There are no workers. Start one with: troupe worker --journal postgres://USER@HOST:5432/DATABASE';

function listText(workers: readonly RegisteredWorker[]): string {
  const now = Date.now();
  const rows = workers.map(({ host, pid, isAlive, startedAt, beatAt, runs, labels, version }) => [
    `${oneLine(host, 40)}/${pid}`,
    isAlive ? 'alive' : `gone for ${ageText(now - beatAt)}`,
    ageText(now - startedAt),
    `${runs} of ${labels['slots'] ?? '?'}`,
    oneLine(version, 20),
  ]);
  return table([['WORKER', 'STATUS', 'AGE', 'RUNS', 'VERSION'], ...rows]);
}
