import { hasBreakpoints } from './cache-marks.ts';
import type { ModelConfig } from './model-config.ts';

/** How much a model is to think, as the SDK takes it: it knows the nearest that each model of a vendor has. */
export function reasoningOf({ provider, effort }: ModelConfig) {
  if (provider === 'openai' || effort === undefined) return {};
  return { reasoning: effort === 'off' ? ('none' as const) : effort };
}

/** The same for OpenAI as an option of its own: the SDK reports only this one where a model does not think at all. */
export function openaiEffort({ model, effort }: ModelConfig) {
  if (effort === undefined) return {};
  if (effort === 'off') return { reasoningEffort: 'none' };
  return { reasoningEffort: effort === 'max' && !hasBreakpoints(model) ? 'xhigh' : effort };
}
