import type { CallRequest } from '../port.ts';
import type { Endpoint, ModelConfig } from './model-config.ts';

/**
 * Whether the model may be made to call a tool (A4): only when its reply was asked for a second time, and only where forcing is
 * known to be accepted. `required`, never one tool by name: the SDK would then leave all others out of the request.
 */
export async function forcesTool(
  { owed, tools }: CallRequest,
  config: ModelConfig,
  endpoint: Endpoint,
): Promise<boolean> {
  if (owed?.isAskedAgain !== true || tools.length === 0 || unforced.has(keyOf(config, endpoint))) return false;
  if (config.provider === 'openai') return true;
  return config.provider === 'anthropic' && (await isForcible(config));
}

/** Several models of Claude refuse it, all do while they think; of unknown ones nothing is known. */
async function isForcible({ model, effort = 'off' }: ModelConfig): Promise<boolean> {
  const { getModelCapabilities } = await import('@ai-sdk/anthropic/internal');
  const { isKnownModel, rejectsForcedToolUse } = getModelCapabilities(model);
  return isKnownModel && !rejectsForcedToolUse && effort === 'off';
}

/** Models that refused to be forced, for the life of the process. */
const unforced = new Set<string>();

const keyOf = ({ model }: ModelConfig, { url }: Endpoint): string => `${url} ${model}`;

/** Whether a request failed because a tool was forced. The model is not forced again. */
export function refusesForcing(error: unknown, config: ModelConfig, endpoint: Endpoint): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  const { statusCode, message, responseBody = '' } = error as Error & { statusCode: unknown; responseBody?: string };
  if (statusCode !== 400 && statusCode !== 422) return false;
  if (!/tool_choice|tool choice|forced tool/i.test(`${message} ${responseBody}`)) return false;
  unforced.add(keyOf(config, endpoint));
  return true;
}
