import { chosenSides } from '../../app/results/chosen-sides.ts';
import { mergeRun, type MergeRequest } from '../../app/results/merge-run.ts';
import type { Allowed } from '../../host/deliver/merge-outcome.ts';
import type { Invocation } from '../command-spec.ts';
import { mergeExitCode } from '../files/merge-exit-code.ts';
import { targetOption } from './target-option.ts';
import { printMerge } from '../files/print-merge.ts';
import { withRun } from './with-run.ts';
import { flag, listOption, textOption, textOptions } from '../invocation.ts';
import { onInterrupt } from '../session/interrupt.ts';

/** `troupe merge RUN [--branch NAME | --patch FILE | --apply]`: brings what a run made to the user, or says why not. */
export async function mergeCommand(invocation: Invocation): Promise<number> {
  const request = requestOf(invocation);
  const stopped = new AbortController();
  const interrupt = onInterrupt();
  void interrupt.asked.then(() => stopped.abort());
  return await withRun(invocation, async (driving, { run }) => {
    const { result, outcome } = await mergeRun(driving, run, { request, signal: stopped.signal });
    await printMerge(driving, { result, outcome, verify: request.verify });
    return mergeExitCode(outcome, stopped.signal);
  }).finally(() => interrupt.stop());
}

const requestOf = (invocation: Invocation): MergeRequest => ({
  ...textOptions(invocation, ['agent', 'workspace']),
  target: targetOption(invocation),
  verify: textOption(invocation, 'verify') ?? null,
  sides: chosenSides({ ours: listOption(invocation, 'ours'), theirs: listOption(invocation, 'theirs') }),
  allow: (Object.keys(OPTIONS) as readonly Allowed[]).filter((name) => flag(invocation, OPTIONS[name])),
});

const OPTIONS: Readonly<Record<Allowed, string>> = {
  unverified: 'unverified',
  conflicts: 'withConflicts',
  steering: 'allowSteering',
};
