import type { DeliveryContext } from '../../host/deliver/delivery-context.ts';
import type { RunId } from '../../core/ids.ts';
import { worldOf } from '../../host/embedded/worlds.ts';
import { textOption } from '../invocation.ts';
import { personName } from '../session/drive.ts';
import type { Driving } from '../session/driving.ts';

/**
 * Brings a result to the user from this process, on this person's account. A check runs in the run's sandbox; only `--sandbox`
 * on this command line chooses a different one, and the record of the delivery names both.
 */
export async function deliveryContext({ world, host, invocation }: Driving, run: RunId): Promise<DeliveryContext> {
  const isChosen = textOption(invocation, 'sandbox') !== undefined;
  const snapshot = await host.snapshot(run);
  return {
    world: isChosen ? world : await worldOf(world, snapshot),
    runSandbox: snapshot.sandbox,
    by: personName(),
    note: (of, fact) => host.note(of, fact),
  };
}
