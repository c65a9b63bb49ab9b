import { Fault } from '../../../core/model/fault.ts';
import type { ClientServices, World } from '../../world.ts';

/** What agents that are their own programs need; a world without such agents may lack it. */
export function servicesOf({ world }: { readonly world: Pick<World, 'clients'> }): ClientServices {
  if (world.clients !== undefined) return world.clients;
  throw new Fault('CLIENT_UNAVAILABLE', 'Agents that are separate programs cannot be started here.', {
    hint: 'Start the run with the command line, or give the world `clients`.',
  });
}
