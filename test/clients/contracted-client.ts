import type { ActorSubject } from '../../src/actors/actor.contract.ts';
import type { Actor, ClientOrder } from '../../src/actors/port.ts';
import { startScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import { ordering, processesWith, script, until, type ClientRig } from './client-rig.ts';

/** A real client for the contract of actors, on a model of which it is the only user. */
export async function contractedClient(
  rig: ClientRig,
  actorAt: (url: string) => Actor,
  change: Partial<ClientOrder> = {},
): Promise<ActorSubject> {
  const server = await startScriptedServer();
  const actor = actorAt(server.url);
  const [place, hanging] = [rig.place(), rig.place()];
  const asked = (): number => server.requests.length;
  return {
    answering: ordering(actor, () => place.order('Say hello.', change)),
    failing: ordering(actor, () => place.order(script('Fail.', [{ status: 500 }]), change)),
    hanging: {
      actor: ordering(actor, () => hanging.order(script('Wait.', [{ hang: true }]), change)),
      underWay: async () => {
        const before = asked();
        await until(() => asked() > before);
      },
      gone: async () => {
        await server.requests.at(-1)?.closed;
        await until(() => processesWith(hanging.root).length === 0);
      },
    },
    close: () => server.close(),
  };
}
