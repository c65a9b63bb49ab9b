import { scheduledBeginning } from '../../app/workers/begin-scheduled.ts';
import { storeHome } from '../../app/world/store.ts';
import { drainWorker, runWorker } from '../../app/workers/run-worker.ts';
import { workerName } from '../../app/workers/worker-name.ts';
import { askingOf } from '../asking.ts';
import { countOption, type Invocation, listOption, textOption } from '../invocation.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { withLooking } from './carry-out.ts';
import { counted } from '../../protocol/amounts.ts';
import { printDone } from '../terminal/terminal.ts';

const USUAL_SLOTS = 4;

/** `troupe worker`: drives runs of the shared journal until it is asked to stop; then it hands them over. */
export async function workerCommand(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const drained = textOption(invocation, 'drain');
  if (drained !== undefined) return await drainCommand(invocation, drained);
  const slots = countOption(invocation, 'slots', 1) ?? USUAL_SLOTS;
  // Here, slots are those of the worker, and no wish of a run.
  const asking = { ...askingOf(invocation), wishes: {} };
  const interrupt = onInterrupt();
  try {
    await runWorker(asking, {
      slots,
      labels: listOption(invocation, 'labels'),
      stopped: interrupt.asked,
      begin: scheduledBeginning(asking, { entry: process.argv[1] ?? '', home: storeHome(terminal) }),
      started: () =>
        printDone(
          terminal,
          { kind: 'worker.started', slots },
          `This worker drives up to ${slots} runs at once. Ctrl-C passes them to other workers and ends it.`,
        ),
    });
  } finally {
    interrupt.stop();
  }
}

/** It may be on another machine: the journal carries the request. */
async function drainCommand(invocation: Invocation, named: string): Promise<void> {
  const worker = await withLooking(invocation, ({ store }) => drainWorker(store, named));
  const { id, runs } = worker;
  printDone(
    invocation.terminal,
    { kind: 'worker.draining', id, runs },
    `Worker ${workerName(worker)} hands its ${counted(runs.length, 'run')} over and ends.`,
  );
}
