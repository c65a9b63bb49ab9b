import { startedDelivery } from '../../../core/step/delivery.ts';
import type { DeliveryFinished, DeliveryStarted } from '../../../core/record/delivery-fact.ts';
import type { Event } from '../../../core/model/event.ts';
import { Fault } from '../../../core/model/fault.ts';
import { needsDecision } from '../../../core/look/result-state.ts';
import type { DeliveryContext } from '../../deliver/delivery-context.ts';
import { deliveryFact } from '../../deliver/delivery-fact-of.ts';
import { deliverAs } from '../../deliver/deliver-as.ts';
import type { RunResult } from '../../deliver/run-result.ts';
import { toFailure } from '../failed-event.ts';
import { isJournalFault } from '../journal-fault.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import type { EffectContext } from '../../world.ts';

/**
 * Delivers the result of a run to the user, as its newest `delivery.started` says. Repeated after a crash: a branch or a
 * patch is written again, and an apply continues with the files it had not written.
 */
export async function runDelivery(effectContext: EffectContext): Promise<Event> {
  const intent = startedDelivery(effectContext.snapshot);
  if (intent === null) throw new Fault('INTERNAL', 'No delivery was announced.');
  try {
    return { kind: 'delivery.done', fact: await deliver(effectContext, intent) };
  } catch (error) {
    if (isJournalFault(error) || effectContext.signal.aborted) throw error;
    const { workspace, tree } = intent;
    const { project, run } = effectContext.snapshot;
    const failure = toFailure(error, project);
    const again = needsDecision(failure.code) ? '' : ` Then deliver the result with: troupe resume ${run}`;
    const hint = `${failure.hint ?? ''}${again}`.trim();
    return {
      kind: 'delivery.done',
      fact: { kind: 'delivery.failed', workspace, tree, failure: { ...failure, hint } },
    };
  }
}

async function deliver(effectContext: EffectContext, intent: DeliveryStarted): Promise<DeliveryFinished> {
  const { world, run, signal } = effectContext;
  const context: DeliveryContext = {
    world,
    runSandbox: effectContext.snapshot.sandbox,
    by: intent.by,
    note: (_run, fact) => effectContext.noteProject(fact),
  };
  const check = (result: RunResult): void =>
    intent.isAsked === true ? undefined : requireApproved(effectContext.snapshot, result);
  const { result, outcome } = await deliverAs(context, { run, intent, signal, check });
  // A stopped check says nothing about the files.
  signal.throwIfAborted();
  return deliveryFact(result, outcome, intent.by);
}

/** If a person approved files and the workflow started no work since, exactly these are delivered ([V3]). */
export function requireApproved({ approved: all, run }: Snapshot, { workspace, tree }: RunResult): void {
  const approved = all?.[workspace];
  if (approved === undefined || approved === tree) return;
  throw new Fault('APPROVAL_VOID', 'The files changed after a person approved them, so they were not delivered.', {
    hint: `Look at them (troupe diff ${run}), then take them as they are now: troupe deliver ${run} --apply`,
  });
}
