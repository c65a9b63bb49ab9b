import type { DeliveryStarted } from '../../core/record/delivery-fact.ts';
import type { RunId } from '../../core/model/ids.ts';
import { copyResults } from '../../workspace/copy-results.ts';
import { withStoreFaults } from '../../workspace/store/store-fault.ts';
import { chosenSides } from './chosen-sides.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { findFiles } from './find-files.ts';
import type { MergeOutcome, MergeTarget } from './merge-outcome.ts';
import { mergeResult } from './merge-result.ts';
import { defaultTarget } from './merge-target.ts';
import { runResult, type RunResult } from './run-result.ts';

export interface Delivery {
  readonly run: RunId;
  readonly intent: DeliveryStarted;
  readonly signal: AbortSignal;
  /** Records the intent, just before anything can change; absent if the journal already has it. */
  readonly begin?: () => Promise<void>;
  /** Refuses a result before anything is done for it. */
  readonly check?: (result: RunResult) => void;
}

export interface Delivered {
  readonly result: RunResult;
  readonly outcome: MergeOutcome;
}

/** Delivers the files of a workspace to the user as an intent says, whether the engine's or a person's. */
export async function deliverAs(context: DeliveryContext, delivery: Delivery): Promise<Delivered> {
  const { run, intent, signal, begin, check } = delivery;
  const { verify = null, allow = [], ours = [], theirs = [] } = intent;
  const result = await runResult(context, await findFiles(context.world.journal, run), intent.workspace);
  check?.(result);
  const outcome = await mergeResult(context, result, {
    target: targetOf(intent, result, context.world.home),
    verify,
    sides: chosenSides({ ours, theirs }),
    signal,
    allow,
    ...(begin === undefined ? {} : { begin }),
  });
  const isDelivered = outcome.kind !== 'result.not-verified' && !signal.aborted;
  return { result, outcome: isDelivered ? { ...outcome, ...(await copyFiles(intent, result)) } : outcome };
}

/** A file that a person named is never overwritten. */
function targetOf({ to, isAsked }: DeliveryStarted, result: RunResult, home: string | undefined): MergeTarget {
  if (to.kind === 'own') return defaultTarget(result, home);
  return to.kind === 'patch' ? { ...to, isOwn: isAsked !== true } : to;
}

async function copyFiles({ copyTo }: DeliveryStarted, result: RunResult): Promise<Pick<MergeOutcome, 'copied'>> {
  if (copyTo === undefined) return {};
  const { store, base, tree } = result;
  const options = { store, before: base, after: tree, to: copyTo };
  const { written, refused } = await withStoreFaults(copyTo, () => copyResults(options));
  return { copied: { to: copyTo, written, refused } };
}
