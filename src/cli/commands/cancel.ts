import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withRun } from '../files/with-run.ts';
import { flag, textOption } from '../invocation.ts';
import { personName } from '../../app/runs/person-name.ts';
import type { Driving } from '../session/driving.ts';
import { untilConsumed } from '../../app/runs/inbox-wait.ts';

/** `troupe cancel RUN`: ends a run for good, wherever it is driven. */
export async function cancelCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const run = await withRun(invocation, async (driving, info) => {
    if (info.status === 'settled') {
      throw new Fault('RUN_SETTLED', `Run ${info.run} is already settled: ${info.outcome}.`);
    }
    await (info.driven ? cancelElsewhere(driving, info.run) : cancelHere(driving, info.run));
    return info.run;
  });
  if (flag(invocation, 'json')) terminal.stdout.write(`${JSON.stringify({ kind: 'run.cancelled', run })}\n`);
  else terminal.stderr.write(`Cancelled ${run}.\n`);
  return EXIT.ok;
}

const reasonOf = (invocation: Invocation): string =>
  textOption(invocation, 'reason') ?? 'cancelled on the command line';

async function cancelElsewhere(driving: Driving, run: RunId): Promise<void> {
  const { host, store, invocation } = driving;
  await host.cancel(run, personName(), reasonOf(invocation));
  if (!(await untilConsumed(store.journal, [run]))) await cancelHere(driving, run);
}

/** The message waits in the inbox before the run is taken up, so that taking it up starts as little as possible. */
async function cancelHere({ host, invocation }: Driving, run: RunId): Promise<void> {
  await host.cancel(run, personName(), reasonOf(invocation));
  await host.resume(run);
  const { status } = await host.rest(run);
  if (status !== 'settled') await host.cancel(run, personName(), reasonOf(invocation));
  await host.rest(run);
}
