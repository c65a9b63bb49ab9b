import { Fault, type FaultProblem } from '../../core/model/fault.ts';
import type { Role } from '../../core/model/role.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Limits } from '../../core/model/workflow.ts';
import { clientCommand } from '../clients/client-actors.ts';
import { type ActorChoice, actorName, chooseActor, type ClientChoice, isClient } from '../config/choose-actor.ts';
import { withKey } from '../config/choose-model.ts';
import { type ActorSource, modelFor } from '../world/actors.ts';
import { checkActors } from './check-actors.ts';
import { checkResources } from './check-resources.ts';
import type { Config } from '../config/config.ts';

interface Player {
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

/**
 * Reports now what a run would miss later: unconfigured actors and models, programs that are not installed, keys
 * that are not set, unusable scenarios, missing prices and resources.
 */
export async function checkModels(definition: Definition, source: ActorSource, limits: Partial<Limits>): Promise<void> {
  if (source.isElsewhere === true) return;
  const workflows = [definition.workflow, ...Object.values(definition.library)];
  refuseProblems(
    checkActors(workflows, definition.roles, source.config),
    'The workflow names actors that are not known here.',
  );
  const players = await configuredPlayers(definition, source);
  const scenarios = new Set<string>();
  for (const { role, choice } of players) {
    if (isClient(choice)) await clientCommand(choice, source.environment);
    else {
      const model = modelFor(role, choice, source).choice;
      if (model.kind === 'api') withKey(model, source.environment);
      else scenarios.add(model.scenario);
    }
  }
  if (scenarios.size > 0) await readScenarios(scenarios);
  // The first agent to use one that is missing would stop in the middle of its work.
  refuseProblems(
    checkResources(workflows, source.config.workspaces.resources ?? {}),
    'The workflow uses resources that are not declared for it.',
  );
  const isBounded = limits.usd !== undefined || workflows.some((workflow) => workflow.limits.usd !== undefined);
  if (isBounded) refuseUnpriced(players, source);
}

/** Without the roles that the program itself answers for. */
async function configuredPlayers(definition: Definition, source: ActorSource): Promise<readonly Player[]> {
  const all = playersOf(definition, source.config);
  const { supplied } = source;
  if (supplied === undefined) return all;
  const own = await Promise.all(all.map(async ({ role }) => await supplied(role, role.actor)));
  return all.filter((_, at) => own[at] === undefined);
}

/** The code for scenarios is loaded only where there are some. */
async function readScenarios(files: ReadonlySet<string>): Promise<void> {
  const { readScenario } = await import('../world/scripted-model.ts');
  for (const file of files) await readScenario(file);
}

/** Throws the errors among them. */
export function refuseProblems(found: readonly FaultProblem[], message: string): void {
  const problems = found.filter(({ severity }) => severity === 'error');
  const [first] = problems;
  if (first !== undefined) throw new Fault(first.code, message, { problems });
}

/** A limit in money is no limit where a call's cost is unknown, so it is refused rather than passed over. */
function refuseUnpriced(players: readonly Player[], source: ActorSource): void {
  for (const { role, choice } of players) {
    if (isClient(choice)) refuseUnpricedClient(choice);
    else {
      const { name, choice: model } = modelFor(role, choice, source);
      // A scripted model without a price is free.
      if (model.kind === 'api' && model.config.price === undefined) throw unpriced(`model "${name}"`, `models.${name}`);
    }
  }
}

/** Claude Code reckons what it cost; of the others only the tokens are known. */
function refuseUnpricedClient(choice: ClientChoice): void {
  if (choice.kind === 'claude-code' || choice.settings?.price !== undefined) return;
  const key = choice.kind === 'acp' ? `actors.acp.${choice.name}` : `actors.${choice.kind}`;
  throw unpriced(`the agent "${actorName(choice)}"`, key);
}

function unpriced(who: string, setting: string): Fault {
  const key = `${setting}.price`;
  return new Fault('PRICE_MISSING', `The run has a limit in USD, but the price of ${who} is not known.`, {
    hint: `Add ${key} to .troupe/config.yaml, in USD for a million tokens: price: { input: …, output: … }`,
    facts: { model: setting.split('.').at(-1) ?? setting, key },
  });
}
