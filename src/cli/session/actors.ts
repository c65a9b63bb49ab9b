import type { Actor } from '../../actors/port.ts';
import { Fault } from '../../core/fault.ts';
import type { Definition, Role } from '../../core/role.ts';
import type { Limits } from '../../core/workflow.ts';
import { chooseModel, withKey, type ModelOverrides } from '../config/choose-model.ts';
import type { Config, ModelChoice } from '../config/config.ts';

export interface ActorSource {
  readonly config: Config;
  readonly overrides: ModelOverrides;
  readonly environment: NodeJS.ProcessEnv;
}

/** One actor for each model; the code that speaks to it is loaded with its first call. */
export function createActorSource(source: ActorSource): (role: Role) => Promise<Actor> {
  const actors = new Map<string, Promise<Actor>>();
  return async (role) => {
    const { name, choice } = chooseModel(source.config, role.level, source.overrides);
    const actor = actors.get(name) ?? createActor(choice, source.environment);
    actors.set(name, actor);
    return await actor;
  };
}

async function createActor(choice: ModelChoice, environment: NodeJS.ProcessEnv): Promise<Actor> {
  if (choice.kind === 'scripted') {
    const { createScriptedModel } = await import('./scripted-model.ts');
    return await createScriptedModel(choice);
  }
  const config = withKey(choice, environment);
  const { createModelActor } = await import('../../actors/model/model-actor.ts');
  return createModelActor(config);
}

/** Everything a run would miss later is told now: models nobody configured, keys that are not set, prices it needs. */
export function checkModels(definition: Definition, source: ActorSource, limits: Partial<Limits>): void {
  for (const role of Object.values(definition.roles)) {
    const { choice } = chooseModel(source.config, role.level, source.overrides);
    if (choice.kind === 'api') withKey(choice, source.environment);
  }
  checkPrices(definition, source, limits);
}

/** A limit in money is no limit where a call's cost is unknown, so it is refused rather than passed over. */
export function checkPrices(definition: Definition, source: ActorSource, limits: Partial<Limits>): void {
  const workflows = [definition.workflow, ...Object.values(definition.library)];
  const isBounded = limits.usd !== undefined || workflows.some((workflow) => workflow.limits.usd !== undefined);
  if (!isBounded) return;
  for (const role of Object.values(definition.roles)) {
    const { name, choice } = chooseModel(source.config, role.level, source.overrides);
    // A scripted model without a price is free.
    if (choice.kind === 'scripted' || choice.config.price !== undefined) continue;
    throw new Fault('PRICE_MISSING', `The run has a limit in USD, but the price of model "${name}" is not known.`, {
      hint: `Add models.${name}.price to .troupe/config.yaml, in USD for a million tokens: price: { input: …, output: … }`,
      facts: { model: name, key: `models.${name}.price` },
    });
  }
}
