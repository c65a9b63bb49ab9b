import type { Chosen } from '../../core/model/role.ts';
import type { Definition } from '../../core/model/definition.ts';
import { type ActorOverrides, actorOf, NO_ACTORS, playedBy, refuseStrangers } from '../config/choose-actor.ts';
import { refuseUnknownLevels, withModel } from '../config/choose-model.ts';
import type { Config, RetrySettings } from '../config/config.ts';
import type { SessionRequest } from '../runs/session.ts';
import { DEFAULT_RETRY } from '../../core/step/retry.ts';
import { Fault } from '../../core/model/fault.ts';
import { mapValues } from '../../core/model/map-values.ts';
import type { State, Workflow } from '../../core/model/workflow.ts';

/**
 * Applies the configuration and the command line to a definition. The result is stored with the run, so that it also holds
 * when the run is resumed.
 */
export function adaptDefinition(definition: Definition, config: Config, chosen: Chosen): Definition {
  const { models = {}, actors = NO_ACTORS, slots } = chosen;
  refuseUnknownLevels(definition.roles, config, models);
  refuseStrangers(definition, Object.keys(actors.byName));
  if (slots !== undefined) refuseSlots(definition);
  const adapt = (workflow: Workflow): Workflow => ({
    ...workflow,
    agents: workflow.agents.map((agent) => playedBy(agent, actors)),
    states: slots === undefined ? workflow.states : mapValues(workflow.states, (state) => withSlots(state, slots)),
  });
  return {
    ...definition,
    ...retryOf(config.retry),
    workflow: adapt(definition.workflow),
    library: mapValues(definition.library, adapt),
    roles: mapValues(definition.roles, (role, name) => ({
      ...withModel(role, config, models),
      ...actorOf(actors, name),
    })),
  };
}

function retryOf({ tries = {}, baseMs, maxMs, toolTries }: RetrySettings): Pick<Definition, 'retry' | 'toolTries'> {
  const tools = toolTries === undefined ? {} : { toolTries };
  if (baseMs === undefined && maxMs === undefined && Object.keys(tries).length === 0) return tools;
  const retry = {
    tries,
    // If only one of the two is set, the other one's default must not contradict it.
    baseMs: baseMs ?? Math.min(DEFAULT_RETRY.baseMs, maxMs ?? DEFAULT_RETRY.baseMs),
    maxMs: maxMs ?? Math.max(DEFAULT_RETRY.maxMs, baseMs ?? 0),
  };
  return { ...tools, retry };
}

/** How many at a time holds wherever a list is worked off. What a file names one by one keeps its own. */
function withSlots(state: State, slots: number): State {
  if (state.kind !== 'work' || state.work.kind !== 'pool' || !worksOffList(state)) return state;
  return { ...state, work: { ...state.work, slots } };
}

const worksOffList = (state: State): boolean =>
  state.kind === 'work' && state.work.kind === 'pool' && state.work.units.kind === 'items';

function refuseSlots({ workflow, library }: Definition): void {
  if ([workflow, ...Object.values(library)].some(({ states }) => Object.values(states).some(worksOffList))) return;
  throw new Fault('USAGE', `--slots has no effect: "${workflow.name}" works off no list.`, {
    hint: 'It says how many at a time of a pool with "items", such as the steps of a quest. Leave it out here.',
  });
}

/** The definition of a new run with all that the configuration and the command line say about it. */
export function wantedDefinition(definition: Definition, prepared: SessionRequest, folder: string): Definition {
  const { project } = prepared;
  const place = folder === project.root ? {} : { folder };
  return withChosen(definition, project.config, { ...mergeChoices(undefined, prepared), ...place });
}

/** The same with what was chosen before. */
export function withChosen(definition: Definition, config: Config, chosen: Chosen): Definition {
  const whole = adaptDefinition(definition, config, chosen);
  return Object.keys(chosen).length === 0 ? whole : { ...whole, chosen };
}

/** Merges earlier choices with new ones. */
export function mergeChoices(before: Chosen | undefined, now: Pick<SessionRequest, 'actors' | 'wishes'>): Chosen {
  const { overrides, cast } = now.actors;
  const models = { ...before?.models, ...overrides };
  const actors = mergeCast(before?.actors ?? NO_ACTORS, cast);
  return {
    ...before,
    ...(Object.keys(models).length === 0 ? {} : { models }),
    ...(actors === NO_ACTORS ? {} : { actors }),
    ...(now.wishes.slots === undefined ? {} : { slots: now.wishes.slots }),
  };
}

function mergeCast(before: ActorOverrides, now: ActorOverrides): ActorOverrides {
  const byName = { ...before.byName, ...now.byName };
  const others = now.others ?? before.others;
  return Object.keys(byName).length === 0 && others === null ? NO_ACTORS : { byName, others };
}
