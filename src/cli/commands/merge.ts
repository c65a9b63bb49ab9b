import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { sidesOption } from '../files/sides-option.ts';
import { findFiles } from '../../host/deliver/find-files.ts';
import { mergeExitCode } from '../files/merge-exit-code.ts';
import { mergeResult } from '../../host/deliver/merge-result.ts';
import { defaultTarget } from '../../host/deliver/merge-target.ts';
import { deliveryContext } from '../../app/results/delivery-context-of.ts';
import { targetOption } from '../files/target-option.ts';
import { noteMerge } from '../../app/results/note-merge.ts';
import { runResult } from '../../host/deliver/run-result.ts';
import { tellMerge } from '../files/tell-merge.ts';
import { withRun } from '../files/with-run.ts';
import { namedWorkspace } from '../../app/results/named-workspace.ts';
import type { Allowed } from '../../host/deliver/merge-outcome.ts';
import { flag, textOption, textOptions } from '../invocation.ts';
import { onInterrupt } from '../session/interrupt.ts';

/** `troupe merge RUN [--branch NAME | --patch FILE | --apply]`: brings what a run made to the user, or says why not. */
export async function mergeCommand(invocation: Invocation): Promise<number> {
  const wanted = targetOption(invocation);
  const sides = sidesOption(invocation);
  const stopped = new AbortController();
  const interrupt = onInterrupt();
  void interrupt.asked.then(() => stopped.abort());
  return await withRun(invocation, async (driving, { run }) => {
    const files = await findFiles(driving.store.journal, run);
    const workspace = await namedWorkspace(textOptions(invocation, ['agent', 'workspace']), driving.store.journal, {
      run,
      files,
    });
    const context = await deliveryContext(driving, files.root);
    const result = await runResult(context, files, workspace);
    const target = wanted ?? defaultTarget(result, driving.store.home);
    const verify = textOption(invocation, 'verify') ?? null;
    const outcome = await mergeResult(context, result, {
      target,
      verify,
      sides,
      signal: stopped.signal,
      allow: allowedOption(invocation),
    });
    const code = mergeExitCode(outcome, stopped.signal);
    if (code !== EXIT.interrupted) await noteMerge(driving, result, outcome);
    await tellMerge(driving, { result, outcome, verify });
    return code;
  }).finally(() => interrupt.stop());
}

const OPTIONS: Readonly<Record<Allowed, string>> = {
  unverified: 'unverified',
  conflicts: 'withConflicts',
  steering: 'allowSteering',
};

const allowedOption = (invocation: Invocation): readonly Allowed[] =>
  (Object.keys(OPTIONS) as readonly Allowed[]).filter((name) => flag(invocation, OPTIONS[name]));
