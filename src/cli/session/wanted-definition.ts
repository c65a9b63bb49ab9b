import type { Definition } from '../../core/role.ts';
import { withActors } from '../config/choose-actor.ts';
import { withModels } from '../config/choose-model.ts';
import { withRetry } from '../config/with-retry.ts';
import { withSlots } from '../config/with-slots.ts';
import type { Preparation } from './driving.ts';

/** The definition of a new run with all that the configuration and the command line say about it. */
export function wantedDefinition(definition: Definition, { project, actors, slots }: Preparation): Definition {
  const { config } = project;
  const modelled = withModels(withRetry(definition, config.retry), config, actors.overrides);
  return withSlots(withActors(modelled, actors.cast), slots);
}
