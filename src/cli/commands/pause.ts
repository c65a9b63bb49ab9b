import { pauseRun } from '../../app/runs/pause-run.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withNamedRun } from './with-run.ts';
import { flag, textOption } from '../invocation.ts';

/** `troupe pause RUN`: what is under way comes to its end, nothing new starts, until somebody resumes the run. */
export async function pauseCommand(invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation.terminal;
  return await withNamedRun(invocation, async (driving, info) => {
    const { run } = info;
    const reason = textOption(invocation, 'reason') ?? 'paused on the command line';
    const isNew = await pauseRun(driving, info, reason);
    if (flag(invocation, 'json')) stdout.write(`${JSON.stringify({ kind: 'run.paused', run })}\n`);
    else stderr.write(`${isNew ? 'Paused' : 'It is paused already'}. Go on with: troupe resume ${run}\n`);
    return EXIT.ok;
  });
}
