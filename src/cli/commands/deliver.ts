import { type DeliveredRun, type DeliverRequest, deliverRun } from '../../app/results/deliver-run.ts';
import { pushBranch } from '../../app/results/push-branch.ts';
import type { Allowed } from '../../core/record/delivery-fact.ts';
import { flag, type Invocation, listOption, textOption, textOptions } from '../invocation.ts';
import { mergeExitCode, printMerge } from '../files/print-delivery.ts';
import { withNamedRun } from './carry-out.ts';
import type { DrivingSession } from '../session/driving-types.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { printDone } from '../terminal/terminal.ts';
import { Fault } from '../../core/model/fault.ts';

type Target = NonNullable<DeliverRequest['to']>;

/** What the user named; at most one of the three. */
export function targetOption(invocation: Invocation): Target | null {
  const [branch, patch] = [textOption(invocation, 'branch'), textOption(invocation, 'patch')];
  const given: readonly (Target | null)[] = [
    branch === undefined ? null : { kind: 'branch', name: branch },
    patch === undefined ? null : { kind: 'patch', file: patch },
    flag(invocation, 'apply') ? { kind: 'apply' } : null,
  ];
  const [one, another] = given.filter((target) => target !== null);
  if (another === undefined) return one ?? null;
  throw new Fault('USAGE', 'Only one of --branch, --patch and --apply can be had at a time.', {
    hint: 'Give one of them, or none for a branch (in git) or a patch (elsewhere).',
  });
}

/** `troupe deliver RUN [--branch NAME | --patch FILE | --apply]`: brings the result of a run to the user, or says why not. */
export async function deliverCommand(invocation: Invocation): Promise<number> {
  const request = requestOf(invocation);
  const remote = pushOption(invocation, request);
  const stopped = new AbortController();
  const interrupt = onInterrupt();
  void interrupt.asked.then(() => stopped.abort());
  return await withNamedRun(invocation, async (driving, { run }) => {
    const { result, outcome, verify } = await deliverRun(driving, run, { request, signal: stopped.signal });
    await printMerge(driving, { result, outcome, verify });
    if (remote !== undefined) await push(driving, { outcome, project: result.project, remote });
    return mergeExitCode(outcome, stopped.signal);
  }).finally(() => interrupt.stop());
}

/** Only a branch can be pushed. */
function pushOption(invocation: Invocation, { to }: DeliverRequest): string | undefined {
  const remote = textOption(invocation, 'push');
  if (remote === undefined || to === undefined || to.kind === 'branch') return remote;
  throw new Fault('USAGE', `--push does not go with --${to.kind}: only a branch can be pushed.`, {
    hint: 'Leave one of them out.',
  });
}

async function push(
  { terminal }: DrivingSession,
  { outcome, project, remote }: Pick<DeliveredRun, 'outcome'> & { readonly project: string; readonly remote: string },
): Promise<void> {
  const branch = await pushBranch(outcome, { project, remote, environment: terminal.environment });
  if (branch !== null) printDone(terminal, { kind: 'result.pushed', branch, remote }, `Pushed ${branch} to ${remote}.`);
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
