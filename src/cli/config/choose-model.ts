import type { ModelConfig } from '../../actors/model/model-config.ts';
import { Fault } from '../../core/fault.ts';
import { nameHint } from '../../dialects/source/closest-name.ts';
import type { ApiModel, Config, ModelChoice } from './config.ts';

/** Levels that every role may name although nobody configured them; they fall back to `base`. */
const LEVELS: ReadonlySet<string> = new Set(['base', 'smart', 'fast']);

export interface NamedModel {
  readonly name: string;
  readonly choice: ModelChoice;
}

/** The model a level stands for: what `--model` says, else the configured one, else `base`. */
export function chooseModel(config: Config, level: string, overrides: ModelOverrides = {}): NamedModel {
  const wanted = overrides[level] ?? level;
  const found = config.models[wanted];
  if (found !== undefined) return { name: wanted, choice: found };
  const base = overrides['base'] ?? 'base';
  const fallback = config.models[base];
  if (fallback !== undefined && LEVELS.has(wanted)) return { name: base, choice: fallback };
  throw LEVELS.has(wanted) ? missingModel(wanted) : unknownModel(wanted, config);
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
