import { Fault } from '../../../core/model/fault.ts';
import type { ClientServices, World } from '../../world.ts';

/** What agents need that are programs of their own; a world that has none of them may do without. */
export function servicesOf({ world }: { readonly world: Pick<World, 'clients'> }): ClientServices {
  if (world.clients !== undefined) return world.clients;
  throw new Fault('CLIENT_UNAVAILABLE', 'Agents that are programs of their own cannot be started here.', {
    hint: 'Start the run with the command line, or give the world `clients`.',
  });
}
