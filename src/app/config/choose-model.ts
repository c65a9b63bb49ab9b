import type { ModelConfig } from '../../actors/model/model-config.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Role } from '../../core/model/role.ts';
import type { Definition } from '../../core/model/definition.ts';
import { nameHint } from '../../source/closest-name.ts';
import type { ApiModel, Config, ModelChoice } from './config.ts';

/** Levels that every role may name without configuration; they fall back to `base`. */
export const LEVELS: ReadonlySet<string> = new Set(['base', 'smart', 'fast']);

export interface NamedModel {
  readonly name: string;
  readonly choice: ModelChoice;
}

/** The model a level stands for: what `--model` says, else the configured one, else `base`. */
export function chooseModel(config: Config, roleLevel: string, overrides: ModelOverrides = {}): NamedModel {
  const { level, kept } = readLevel(roleLevel);
  const named = overriding(config, level, overrides) ?? kept;
  const wanted = named ?? level;
  const found = config.models[wanted];
  if (found !== undefined) return { name: wanted, choice: found };
  // A model that was asked for by name is never replaced by another one.
  if (named !== null || !LEVELS.has(wanted)) throw unknownModel(wanted, config);
  const fallback = config.models['base'];
  if (fallback === undefined) throw missingModel(wanted);
  return { name: 'base', choice: fallback };
}

/** The role with the model that was chosen for its level, which stays readable (`base=slow`) because it may be chosen again later. */
export function withModel(role: Role, config: Config, overrides: ModelOverrides): Role {
  const { level } = readLevel(role.level);
  const model = overriding(config, level, overrides);
  return model === null ? role : { ...role, level: `${level}=${model}` };
}

/** A misspelt level would leave all models as they are, without a word. */
export function refuseUnknownLevels(roles: Definition['roles'], config: Config, overrides: ModelOverrides): void {
  const used = Object.values(roles).map((role) => readLevel(role.level).level);
  const known = [...new Set([...LEVELS, ...Object.keys(config.models), ...used])];
  const stranger = Object.keys(overrides).find((level) => !known.includes(level));
  if (stranger === undefined) return;
  const role = Object.hasOwn(roles, stranger) ? roles[stranger] : undefined;
  throw new Fault(
    'LEVEL_UNKNOWN',
    `--model ${stranger}=${overrides[stranger]}: there is no level named "${stranger}".`,
    {
      hint:
        role === undefined
          ? (nameHint(stranger, known) ?? '')
          : `That is a role. It has the level "${readLevel(role.level).level}", as others may.`,
      facts: { known },
    },
  );
}

/** A level without its own model uses the choice for `base`. */
function overriding(config: Config, level: string, overrides: ModelOverrides): string | null {
  const follows = LEVELS.has(level) && config.models[level] === undefined;
  return overrides[level] ?? (follows ? overrides['base'] : undefined) ?? null;
}

function readLevel(text: string): { readonly level: string; readonly kept: string | null } {
  const cut = text.indexOf('=');
  return cut === -1 ? { level: text, kept: null } : { level: text.slice(0, cut), kept: text.slice(cut + 1) };
}

/** The name under which a level finds its model, where the command line chose none later. */
export function namedModel(roleLevel: string): string {
  const { level, kept } = readLevel(roleLevel);
  return kept ?? level;
}

/** `level=name`, from the command line. */
export type ModelOverrides = Readonly<Record<string, string>>;

export function parseOverrides(list: readonly string[], config: Config): ModelOverrides {
  const overrides: Record<string, string> = {};
  for (const text of list) {
    const cut = text.indexOf('=');
    const level = cut === -1 ? 'base' : text.slice(0, cut);
    const name = text.slice(cut + 1);
    if (config.models[name] === undefined) throw unknownModel(name, config);
    overrides[level] = name;
  }
  return overrides;
}

function missingModel(level: string): Fault {
  return new Fault(
    'MODEL_MISSING',
    `No model is configured for level "${level}", and there is no "base" to fall back to.`,
    {
      hint: `Write one into .troupe/config.yaml, such as:
  models:
    base: { provider: openai-compatible, base_url: "http://127.0.0.1:11434/v1", model: NAME }
or run "troupe init" for a file with examples.`,
    },
  );
}

function unknownModel(name: string, config: Config): Fault {
  const hint = nameHint(name, Object.keys(config.models));
  return new Fault('MODEL_UNKNOWN', `There is no model named "${name}" in the configuration.`, {
    hint: hint ?? 'Models are configured in .troupe/config.yaml under "models".',
  });
}

/** The configuration with its key, which is read from the environment at the last moment and kept nowhere. */
export function withKey(choice: ApiModel, environment: NodeJS.ProcessEnv): ModelConfig {
  if (choice.isBarred === true) {
    throw new Fault(
      'PROJECT_UNTRUSTED',
      `The project names model "${choice.config.name}", and its settings are not trusted.`,
      { hint: 'See what they would do, and agree or not: troupe trust' },
    );
  }
  if (choice.apiKeyEnv === null) return choice.config;
  const apiKey = environment[choice.apiKeyEnv];
  if (apiKey === undefined || apiKey === '') {
    throw new Fault(
      'KEY_MISSING',
      `Model "${choice.config.name}" needs its key in the variable ${choice.apiKeyEnv}, which is not set.`,
      {
        hint: `Set it, as in: export ${choice.apiKeyEnv}=…`,
      },
    );
  }
  return { ...choice.config, apiKey };
}
