import { deliverRun, type DeliverRequest } from '../../app/results/deliver-run.ts';
import type { Allowed } from '../../core/delivery-fact.ts';
import type { Invocation } from '../command-spec.ts';
import { mergeExitCode } from '../files/merge-exit-code.ts';
import { targetOption } from './target-option.ts';
import { printMerge } from '../files/print-merge.ts';
import { withNamedRun } from './with-run.ts';
import { flag, listOption, textOptions } from '../invocation.ts';
import { onInterrupt } from '../session/interrupt.ts';

/** `troupe deliver RUN [--branch NAME | --patch FILE | --apply]`: brings the result of a run to the user, or says why not. */
export async function deliverCommand(invocation: Invocation): Promise<number> {
  const request = requestOf(invocation);
  const stopped = new AbortController();
  const interrupt = onInterrupt();
  void interrupt.asked.then(() => stopped.abort());
  return await withNamedRun(invocation, async (driving, { run }) => {
    const { result, outcome, verify } = await deliverRun(driving, run, { request, signal: stopped.signal });
    await printMerge(driving, { result, outcome, verify });
    return mergeExitCode(outcome, stopped.signal);
  }).finally(() => interrupt.stop());
}

function requestOf(invocation: Invocation): DeliverRequest {
  const to = targetOption(invocation);
  const [ours, theirs] = [listOption(invocation, 'ours'), listOption(invocation, 'theirs')];
  const allow = (Object.keys(OPTIONS) as readonly Allowed[]).filter((name) => flag(invocation, OPTIONS[name]));
  return {
    ...textOptions(invocation, ['agent', 'workspace', 'verify']),
    ...(to === null ? {} : { to }),
    ...(ours.length === 0 ? {} : { ours }),
    ...(theirs.length === 0 ? {} : { theirs }),
    ...(allow.length === 0 ? {} : { allow }),
  };
}

const OPTIONS: Readonly<Record<Allowed, string>> = {
  unverified: 'unverified',
  conflicts: 'withConflicts',
  steering: 'allowSteering',
};
