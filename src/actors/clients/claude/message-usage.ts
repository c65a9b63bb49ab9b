import type { JsonObject } from '../../../core/json.ts';
import { addUsage, NO_USAGE, type Usage } from '../../../core/usage.ts';
import { count, objectIn, objectListIn, stringIn } from '../read-json.ts';

/**
 * What the single messages of the model used, as far as they tell. The turn's result has the exact sum; this is for turns that
 * come to none, and for the share of each minion.
 */
export class MessageUsage {
  readonly #messages = new Map<string, Told>();

  /** A message begins, or goes on; told as often as it likes. */
  note(message: JsonObject, parent: string): void {
    const id = stringIn(message['id']);
    if (id === '' || message['model'] === SYNTHETIC) return;
    const known = this.#messages.get(id);
    if (known === undefined) this.#messages.set(id, { parent, usage: apiUsage(objectIn(message['usage'])) });
  }

  /** Its last figures. */
  finish(id: string, usage: JsonObject): void {
    const known = this.#messages.get(id);
    if (known === undefined) return;
    const output = Math.max(known.usage.outputTokens, count(usage['output_tokens']));
    this.#messages.set(id, { ...known, usage: { ...known.usage, outputTokens: output } });
  }

  total(): Usage {
    return sum([...this.#messages.values()]);
  }

  ofMinion(id: string): Usage {
    return sum([...this.#messages.values()].filter(({ parent }) => parent === id));
  }
}

interface Told {
  readonly usage: Usage;
  /** The minion whose it is; empty where it is the agent's own. */
  readonly parent: string;
}

/** Words that the client puts into its model's mouth. */
export const SYNTHETIC = '<synthetic>';

const sum = (told: readonly Told[]): Usage => told.reduce((all, { usage }) => addUsage(all, usage), NO_USAGE);

/** As the endpoint tells it: input without what a cache held. */
export function apiUsage(usage: JsonObject): Usage {
  const cacheReadTokens = count(usage['cache_read_input_tokens']);
  const cacheWriteTokens = count(usage['cache_creation_input_tokens']);
  return {
    inputTokens: count(usage['input_tokens']) + cacheReadTokens + cacheWriteTokens,
    outputTokens: count(usage['output_tokens']),
    cacheReadTokens,
    cacheWriteTokens,
    calls: 1,
  };
}

/**
 * Of this turn only, sub-agents included. `total_cost_usd` and `modelUsage` go over the whole conversation, and `usage` leaves
 * sub-agents out; versions that do not tell apart what is new have no better figure than that.
 */
export function turnUsage(result: JsonObject, calls: number): Usage {
  const models = newOfModels(result);
  const usage =
    models === null ? apiUsage(objectIn(result['usage'])) : models.map(modelUsage).reduce(addUsage, NO_USAGE);
  return { ...usage, calls };
}

/** Null where it is not told, or has no price that anybody knows. */
export function turnCost(result: JsonObject): number | null {
  const models = newOfModels(result);
  if (models === null || models.some((model) => model['costBasis'] === 'unknown')) return null;
  return models.reduce((sum, model) => sum + count(model['costUSD']), 0);
}

function newOfModels(result: JsonObject): readonly JsonObject[] | null {
  const told = result['model_usage_since_last_result'];
  return told === undefined ? null : objectListIn(Object.values(objectIn(told)));
}

function modelUsage(model: JsonObject): Usage {
  const cacheReadTokens = count(model['cacheReadInputTokens']);
  const cacheWriteTokens = count(model['cacheCreationInputTokens']);
  return {
    inputTokens: count(model['inputTokens']) + cacheReadTokens + cacheWriteTokens,
    outputTokens: count(model['outputTokens']),
    cacheReadTokens,
    cacheWriteTokens,
    calls: 0,
  };
}
