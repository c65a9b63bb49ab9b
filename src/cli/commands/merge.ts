import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { findFiles } from '../files/find-files.ts';
import { mergeExitCode, mergeLines } from '../files/merge-outcome.ts';
import { mergeResult } from '../files/merge-result.ts';
import { defaultTarget, targetOption } from '../files/merge-target.ts';
import { runResult } from '../files/run-result.ts';
import { withRun } from '../files/with-run.ts';
import { workspaceOption } from '../files/workspace-option.ts';
import { flag, textOption } from '../invocation.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { paintFor } from '../terminal/colour.ts';

/** `troupe merge RUN [--branch NAME | --patch FILE | --apply]`: brings what a run made to the user, or says why not. */
export async function mergeCommand(invocation: Invocation): Promise<number> {
  const { stdout, stderr, environment } = invocation.terminal;
  const wanted = targetOption(invocation);
  const stopped = new AbortController();
  const interrupt = onInterrupt();
  void interrupt.asked.then(() => stopped.abort());
  const outcome = await withRun(invocation, async (driving, { run }) => {
    const files = await findFiles(driving.store.journal, run);
    const workspace = await workspaceOption(invocation, driving.store.journal, { run, files });
    const result = await runResult(driving, files, workspace);
    const target = wanted ?? defaultTarget(result, driving.store.home);
    const verify = textOption(invocation, 'verify') ?? null;
    return await mergeResult(driving, result, { target, verify, signal: stopped.signal });
  });
  interrupt.stop();
  if (flag(invocation, 'json')) stdout.write(`${JSON.stringify(outcome)}\n`);
  else stderr.write(`${mergeLines(outcome, paintFor(stderr, environment)).join('\n')}\n`);
  return stopped.signal.aborted ? EXIT.interrupted : mergeExitCode(outcome);
}
