import type { DeliveryStarted } from '../record/delivery-fact.ts';
import type { ResultDoubt } from './failed-check.ts';
import type { StepProgress } from './progress.ts';
import type { DeliveryOrder } from '../model/run-terms.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import { MAIN_WORKSPACE } from '../model/workspace-name.ts';

/**
 * When a run's result is delivered to the user, and what the journal records about it (R1).
 *
 * [D1] The intent is written in the same transaction as `run.settled`, so no moment lies between a good end and its delivery.
 * [D2] An intent without a result is carried out again by the next process that takes the run up; a failed one when a person resumes it.
 * [D3] A delivery that finished after the run's end is never repeated for the same files. One that a person asked for before
 *      is only a copy: the run's own delivery is still owed.
 * [D4] A delivery that a person asked for is written down and carried out in the same way. If it fails, the result is where it
 *      was before. A discarded result owes nothing.
 */

/** The delivery that a run owes now; null where there is none, or it is done. */
export function owedDelivery(snapshot: Snapshot): DeliveryStarted | null {
  const { status, asking, discardedBy } = snapshot;
  if (discardedBy !== null || status !== 'settled') return null;
  return asking ?? wishedDelivery(snapshot);
}

function wishedDelivery(snapshot: Snapshot): DeliveryStarted | null {
  const { parent, terms, delivery } = snapshot;
  const order = terms.delivery;
  if (parent !== null || order === undefined || !isGoodEnd(snapshot, order)) return null;
  const tree = changedTree(snapshot);
  const isDone = delivery?.status === 'finished' && delivery.fact.tree === tree;
  return tree === null || isDone ? null : orderFor(order, tree);
}

/** The tree of the main workspace; null if the workspace is gone or unchanged. */
function changedTree({ workspaces }: Snapshot): DeliveryStarted['tree'] | null {
  const main = workspaces[MAIN_WORKSPACE];
  if (main === undefined || main.isGone === true) return null;
  return main.tree === main.base ? null : main.tree;
}

function isGoodEnd({ result }: Snapshot, { allowsPartial }: DeliveryOrder): boolean {
  return result?.outcome === 'ok' || (result?.outcome === 'partial' && allowsPartial === true);
}

function orderFor(
  { allowsPartial: _allowsPartial, allowsSteering, ...order }: DeliveryOrder,
  tree: DeliveryStarted['tree'],
): DeliveryStarted {
  const allow = allowsSteering === true ? ({ allow: ['steering'] } as const) : {};
  return { kind: 'delivery.started', workspace: MAIN_WORKSPACE, tree, ...order, ...allow };
}

/** Whether a delivery failed because the files are no result: a person decides, and a retry would not help. */
export const isRefusedResult = (code: string): code is ResultDoubt['code'] =>
  code === 'RESULT_NOT_VERIFIED' || code === 'RESULT_IN_CONFLICT';

/** Orders the delivery that is owed, and announces it first unless the same delivery was interrupted. */
export function startDelivery(progress: StepProgress): void {
  const owed = owedDelivery(progress.snapshot);
  if (owed === null) return;
  const isAnnounced = JSON.stringify(startedDelivery(progress.snapshot)) === JSON.stringify(owed);
  if (!isAnnounced) progress.record(owed);
  progress.emit({ kind: 'delivery.run' });
}

/** The delivery that is in progress or was interrupted. */
export function startedDelivery({ asking, delivery }: Snapshot): DeliveryStarted | null {
  if (asking !== null) return asking;
  return delivery?.fact.kind === 'delivery.started' ? delivery.fact : null;
}
