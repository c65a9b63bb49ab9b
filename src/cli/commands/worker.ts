import { runWorker } from '../../app/workers/run-worker.ts';
import { askingOf } from '../asking.ts';
import { countOption, type Invocation } from '../invocation.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { printDone } from '../terminal/terminal.ts';

const USUAL_SLOTS = 4;

/** `troupe worker`: drives runs of the shared journal until it is asked to stop; then it hands them over. */
export async function workerCommand(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const slots = countOption(invocation, 'slots', 1) ?? USUAL_SLOTS;
  const interrupt = onInterrupt();
  try {
    await runWorker(
      // Here, slots are those of the worker, and no wish of a run.
      { ...askingOf(invocation), wishes: {} },
      {
        slots,
        stopped: interrupt.asked,
        started: () =>
          printDone(
            terminal,
            { kind: 'worker.started', slots },
            `This worker drives up to ${slots} runs at once. Ctrl-C hands them over to other workers and ends it.`,
          ),
      },
    );
  } finally {
    interrupt.stop();
  }
}
