import type { Definition, Role } from '../../core/role.ts';
import { chooseActor, isClient, type ActorChoice } from '../config/choose-actor.ts';
import type { Config } from '../config/config.ts';

export interface Player {
  readonly role: Role;
  readonly choice: ActorChoice;
}

/**
 * Each role with all that play it. One that no agent has is there for sub-agents, and only a model starts those: a client has
 * its own. So a workflow that only clients play needs no model.
 */
export function playersOf({ workflow, library, roles }: Definition, config: Config): readonly Player[] {
  const agents = [workflow, ...Object.values(library)].flatMap((one) => one.agents);
  const players = Object.values(roles).flatMap((role) => {
    const own = agents.filter((agent) => agent.role === role.name);
    const names = new Set(own.map(({ actor }) => actor ?? role.actor));
    return [...names].map((name) => ({ role, choice: chooseActor(name, config) }));
  });
  const below = new Set(Object.values(roles).flatMap(({ tasks = [] }) => tasks));
  const played = new Set(players.map(({ role }) => role.name));
  for (const role of Object.values(roles)) {
    if (!played.has(role.name) && !below.has(role.name))
      players.push({ role, choice: chooseActor(role.actor, config) });
  }
  for (const { role, choice } of players) {
    for (const name of isClient(choice) ? [] : (role.tasks ?? [])) {
      const started = roles[name];
      if (started === undefined || players.some((one) => one.role === started)) continue;
      // A list gives what is added while it is gone through, too.
      players.push({ role: started, choice: chooseActor(started.actor, config) });
    }
  }
  return players;
}
