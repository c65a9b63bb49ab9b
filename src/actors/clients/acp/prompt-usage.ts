import type { Json, JsonObject } from '../../../core/json.ts';
import { addUsage, totalTokens, type Usage } from '../../../core/usage.ts';
import { count, objectIn, objectListIn, stringIn } from '../read-json.ts';

/**
 * What the answer to an order says that it used; null where it says nothing. Where an agent tells of each model apart, that
 * may be more than the sum it tells: its sub-agents are only found there.
 */
export function promptUsage(response: JsonObject): Usage | null {
  const quota = objectIn(objectIn(response['_meta'])['quota']);
  const models = objectListIn(quota['model_usage']).flatMap((row) => tokensOf(row['token_count']) ?? []);
  const [first, ...others] = models;
  const ofModels = first === undefined ? null : others.reduce(addUsage, first);
  const told = tokensOf(response['usage']) ?? tokensOf(quota['token_count']);
  const most = told === null || (ofModels !== null && totalTokens(ofModels) > totalTokens(told)) ? ofModels : told;
  return most === null ? null : { ...most, calls: 1 };
}

/** The model, where the answer names one. */
export function promptModel(response: JsonObject): string {
  const quota = objectIn(objectIn(response['_meta'])['quota']);
  return stringIn(objectListIn(quota['model_usage'])[0]?.['model']);
}

/** Agents differ in whether what came from a cache is part of the input; their sum tells. */
function tokensOf(value: Json | undefined): Usage | null {
  const told = objectIn(value);
  const input = either(told, 'inputTokens', 'input_tokens');
  const outputTokens = either(told, 'outputTokens', 'output_tokens');
  const cacheReadTokens = either(told, 'cachedReadTokens', 'cachedInputTokens');
  const cacheWriteTokens = count(told['cachedWriteTokens']);
  const cached = cacheReadTokens + cacheWriteTokens;
  const all = input + outputTokens + cached;
  if (all === 0) return null;
  const isApart = cached > input || count(told['totalTokens']) >= all;
  return { inputTokens: isApart ? input + cached : input, outputTokens, cacheReadTokens, cacheWriteTokens, calls: 1 };
}

const either = (told: JsonObject, name: string, other: string): number => count(told[name]) || count(told[other]);
