import type { DeliveryContext } from '../../host/deliver/delivery-context.ts';
import type { RunId } from '../../core/ids.ts';
import { worldOf } from '../../host/embedded/worlds.ts';
import { textOption } from '../invocation.ts';
import { personName } from '../session/drive.ts';
import type { Driving } from '../session/driving.ts';

/**
 * Brings a result to the user from this process, on this person's account. What a check runs is kept in by the run's sandbox;
 * only `--sandbox` on this command line chooses another one.
 */
export async function deliveryContext({ world, host, invocation }: Driving, run: RunId): Promise<DeliveryContext> {
  const isChosen = textOption(invocation, 'sandbox') !== undefined;
  return {
    world: isChosen ? world : await worldOf(world, await host.snapshot(run)),
    by: personName(),
    note: (of, fact) => host.note(of, fact),
  };
}
