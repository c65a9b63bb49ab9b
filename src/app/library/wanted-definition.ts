import type { Chosen, Definition } from '../../core/role.ts';
import { NO_ACTORS, withActors, type ActorOverrides } from '../config/choose-actor.ts';
import { withModels } from '../config/choose-model.ts';
import type { Config } from '../config/config.ts';
import { withRetry } from '../config/with-retry.ts';
import { withSlots } from '../config/with-slots.ts';
import type { Preparation } from '../runs/session.ts';

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
