import type { DeliveryContext } from '../../host/deliver/delivery-context.ts';
import type { RunId } from '../../core/ids.ts';
import { worldOf } from '../../host/embedded/worlds.ts';
import type { Session } from '../runs/session.ts';

/**
 * Brings a result to the user from this process, on this person's account. A check runs in the run's sandbox; only a wish
 * for this one chooses a different one, and the record of the delivery names both.
 */
export async function deliveryContext(
  { world, host, wishes, by }: Session,
  run: RunId,
  note: DeliveryContext['note'],
): Promise<DeliveryContext> {
  const snapshot = await host.snapshot(run);
  return {
    world: wishes.sandbox !== undefined ? world : await worldOf(world, snapshot),
    runSandbox: snapshot.sandbox,
    by,
    note,
  };
}
