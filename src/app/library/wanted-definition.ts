import type { Chosen } from '../../core/model/role.ts';
import type { Definition } from '../../core/model/definition.ts';
import { type ActorOverrides, NO_ACTORS, withActors } from '../config/choose-actor.ts';
import { withModels } from '../config/choose-model.ts';
import type { Config, RetrySettings } from '../config/config.ts';
import type { Preparation } from '../runs/session.ts';
import { DEFAULT_RETRY } from '../../core/step/retry.ts';
import { Fault } from '../../core/model/fault.ts';
import type { State, Workflow } from '../../core/model/workflow.ts';

/** The definition with the project's way to try again; what was not configured stays as it is built in. */
export function withRetry(definition: Definition, configured: RetrySettings): Definition {
  const { toolTries } = configured;
  return withPolicy(toolTries === undefined ? definition : { ...definition, toolTries }, configured);
}

function withPolicy(definition: Definition, { tries = {}, baseMs, maxMs }: RetrySettings): Definition {
  if (baseMs === undefined && maxMs === undefined && Object.keys(tries).length === 0) return definition;
  return {
    ...definition,
    retry: {
      tries,
      // Whoever sets one of the two does not expect the built-in other one to get in its way.
      baseMs: baseMs ?? Math.min(DEFAULT_RETRY.baseMs, maxMs ?? DEFAULT_RETRY.baseMs),
      maxMs: maxMs ?? Math.max(DEFAULT_RETRY.maxMs, baseMs ?? 0),
    },
  };
}

/** The definition with as many slots as the user wants, wherever a list is worked off. What a file names one by one keeps its own. */
export function withSlots(definition: Definition, slots: number | undefined): Definition {
  if (slots === undefined) return definition;
  const states = [definition.workflow, ...Object.values(definition.library)].flatMap((one) =>
    Object.values(one.states),
  );
  if (!states.some(worksOffList)) {
    throw new Fault('USAGE', `--slots has no effect: "${definition.workflow.name}" works off no list.`, {
      hint: 'It says how many at a time of a pool with "items", such as the steps of a quest. Leave it out here.',
    });
  }
  const library = Object.entries(definition.library).map(([name, workflow]) => [name, changed(workflow, slots)]);
  return {
    ...definition,
    workflow: changed(definition.workflow, slots),
    library: Object.fromEntries(library) as Definition['library'],
  };
}

function changed(workflow: Workflow, slots: number): Workflow {
  const states = Object.entries(workflow.states).map(([name, state]): [string, State] => [name, inState(state, slots)]);
  return { ...workflow, states: Object.fromEntries(states) };
}

const worksOffList = (state: State): boolean =>
  state.kind === 'work' && state.work.kind === 'pool' && state.work.units.kind === 'items';

function inState(state: State, slots: number): State {
  if (state.kind !== 'work' || state.work.kind !== 'pool' || !worksOffList(state)) return state;
  return { ...state, work: { ...state.work, slots } };
}

/** The definition of a new run with all that the configuration and the command line say about it. */
export function wantedDefinition(definition: Definition, prepared: Preparation, folder: string): Definition {
  const { project } = prepared;
  const place = folder === project.root ? {} : { folder };
  return withChosen(definition, project.config, { ...chosenToo(undefined, prepared), ...place });
}

/** The same with what was chosen before. */
export function withChosen(definition: Definition, config: Config, chosen: Chosen): Definition {
  const modelled = withModels(withRetry(definition, config.retry), config, chosen.models ?? {});
  const whole = withSlots(withActors(modelled, chosen.actors ?? NO_ACTORS), chosen.slots);
  return Object.keys(chosen).length === 0 ? whole : { ...whole, chosen };
}

/** What was chosen before, and now. */
export function chosenToo(before: Chosen | undefined, now: Pick<Preparation, 'actors' | 'wishes'>): Chosen {
  const { overrides, cast } = now.actors;
  const models = { ...before?.models, ...overrides };
  const actors = castToo(before?.actors ?? NO_ACTORS, cast);
  return {
    ...before,
    ...(Object.keys(models).length === 0 ? {} : { models }),
    ...(actors === NO_ACTORS ? {} : { actors }),
    ...(now.wishes.slots === undefined ? {} : { slots: now.wishes.slots }),
  };
}

function castToo(before: ActorOverrides, now: ActorOverrides): ActorOverrides {
  const byName = { ...before.byName, ...now.byName };
  const others = now.others ?? before.others;
  return Object.keys(byName).length === 0 && others === null ? NO_ACTORS : { byName, others };
}
