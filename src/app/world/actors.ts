import type { Actor } from '../../actors/port.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Role } from '../../core/model/role.ts';
import type { World } from '../../host/world.ts';
import { createClientActor, type ClientBench } from '../clients/client-actors.ts';
import { actorName, chooseActor, isClient, type ActorChoice, type ActorOverrides } from '../config/choose-actor.ts';
import { chooseModel, withKey, type ModelOverrides, type NamedModel } from '../config/choose-model.ts';
import type { Config } from '../config/config.ts';
import type { Supplied } from '../config/supplied-parts.ts';

export interface ActorSource {
  readonly config: Config;
  readonly overrides: ModelOverrides;
  /** The actors of a new run; an existing run has them recorded. */
  readonly cast: ActorOverrides;
  readonly environment: NodeJS.ProcessEnv;
  /** Workers play the roles: nothing of it has to be configured or installed here. */
  readonly isElsewhere?: boolean;
  /** Asked first. */
  readonly supplied?: Supplied['actorFor'] | undefined;
}

/** One actor for each model and each client; the code that speaks to it is loaded with its first call. */
export function createActorSource(source: ActorSource, bench: Omit<ClientBench, 'environment'>): World['actorFor'] {
  const actors = new Map<string, Promise<Actor>>();
  const once = async (key: string, create: () => Promise<Actor>): Promise<Actor> => {
    const known = actors.get(key);
    if (known !== undefined) return await known;
    const made = create();
    actors.set(key, made);
    // What is missing may be there the next time.
    made.catch(() => actors.delete(key));
    return await made;
  };
  return async (role, name) => {
    const own = await source.supplied?.(role, name);
    if (own !== undefined) return own;
    const choice = chooseActor(name, source.config);
    if (isClient(choice)) {
      const { environment } = source;
      return await once(`client ${actorName(choice)}`, () => createClientActor(choice, { ...bench, environment }));
    }
    const model = modelFor(role, choice, source);
    return await once(`model ${model.name}`, () => createActor(model, source.environment));
  };
}

/** The model that speaks for a role that no client plays. */
export function modelFor(role: Role, { kind }: ActorChoice, { config, overrides }: ActorSource): NamedModel {
  if (kind !== 'scripted') return chooseModel(config, role.level, overrides);
  const scripted = Object.entries(config.models).filter(([, choice]) => choice.kind === 'scripted');
  const own = scripted.find(([name]) => name === role.level) ?? scripted[0];
  if (own !== undefined) return { name: own[0], choice: own[1] };
  throw new Fault(
    'MODEL_MISSING',
    `The role "${role.name}" is to be played by a script, but no scripted model is configured.`,
    {
      hint: 'Write one into .troupe/config.yaml: models: { base: { provider: scripted, scenario: FILE } }',
    },
  );
}

async function createActor({ name, choice }: NamedModel, environment: NodeJS.ProcessEnv): Promise<Actor> {
  if (choice.kind === 'scripted') {
    const { createScriptedModel } = await import('./scripted-model.ts');
    return await createScriptedModel({ ...choice, model: choice.model ?? name });
  }
  const config = withKey(choice, environment);
  const { createModelActor } = await import('../../actors/model/model-actor.ts');
  return createModelActor(config);
}
