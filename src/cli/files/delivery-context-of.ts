import type { DeliveryContext } from '../../host/deliver/delivery-context.ts';
import { personName } from '../session/drive.ts';
import type { Driving } from '../session/driving.ts';

/** Brings results to the user from this process, on this person's account. */
export const deliveryContext = ({ world, host }: Driving): DeliveryContext => ({
  world,
  by: personName(),
  note: (run, fact) => host.note(run, fact),
});
