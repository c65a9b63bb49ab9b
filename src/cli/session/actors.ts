import type { Actor } from '../../actors/port.ts';
import type { Scenario } from '../../actors/scripted/scenario.ts';
import { Fault } from '../../core/fault.ts';
import type { Definition, Role } from '../../core/role.ts';
import { readDocument } from '../../dialects/source/read-document.ts';
import { readSourceFile } from '../../dialects/source/read-source-file.ts';
import { valueOrFault } from '../../dialects/source/checked.ts';
import { chooseModel, withKey, type ModelOverrides } from '../config/choose-model.ts';
import type { Config, ModelChoice, ScriptedModel } from '../config/config.ts';

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
  if (choice.kind === 'scripted') return await createScripted(choice);
  const config = withKey(choice, environment);
  const { createModelActor } = await import('../../actors/model/model-actor.ts');
  return createModelActor(config);
}

async function createScripted(choice: ScriptedModel): Promise<Actor> {
  const [{ createScriptedActor }, scenario] = await Promise.all([
    import('../../actors/scripted/scripted-actor.ts'),
    readScenario(choice.scenario),
  ]);
  const { model, price } = choice;
  return createScriptedActor(scenario, {
    ...(model === undefined ? {} : { model }),
    ...(price === undefined ? {} : { price }),
  });
}

export async function readScenario(file: string): Promise<Scenario> {
  const text = valueOrFault(await readSourceFile(file), 'SCENARIO_INVALID');
  const { document } = valueOrFault(readDocument(text, { file }), 'SCENARIO_INVALID');
  const { parseScenario } = await import('../../actors/scripted/scenario.ts');
  const parsed = parseScenario(document, { file });
  if (parsed.kind === 'parsed') return parsed.scenario;
  throw new Fault('SCENARIO_INVALID', `The scenario ${file} has errors.`, { problems: parsed.problems });
}

/** Everything a run would miss later is told now: models nobody configured, keys that are not set. */
export function checkModels(definition: Definition, source: ActorSource): void {
  for (const role of Object.values(definition.roles)) {
    const { choice } = chooseModel(source.config, role.level, source.overrides);
    if (choice.kind === 'api') withKey(choice, source.environment);
  }
}
