import { cancelRun } from '../../app/runs/cancel-run.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withNamedRun } from './with-run.ts';
import { flag, textOption } from '../invocation.ts';

/** `troupe cancel RUN`: ends a run for good, wherever it is driven. */
export async function cancelCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const run = await withNamedRun(invocation, async (driving, info) => {
    await cancelRun(driving, info, textOption(invocation, 'reason') ?? 'cancelled on the command line');
    return info.run;
  });
  if (flag(invocation, 'json')) terminal.stdout.write(`${JSON.stringify({ kind: 'run.cancelled', run })}\n`);
  else terminal.stderr.write(`Cancelled ${run}.\n`);
  return EXIT.ok;
}
