import { DEFAULT_RETRY } from '../../core/retry.ts';
import type { Definition } from '../../core/role.ts';
import type { RetrySettings } from './config.ts';

/** The definition with the project's way to try again; what was not configured stays as it is built in. */
export function withRetry(definition: Definition, configured: RetrySettings): Definition {
  const { toolTries } = configured;
  return withPolicy(toolTries === undefined ? definition : { ...definition, toolTries }, configured);
}

function withPolicy(definition: Definition, { tries = {}, baseMs, maxMs }: RetrySettings): Definition {
  if (baseMs === undefined && maxMs === undefined && Object.keys(tries).length === 0) return definition;
  return {
    ...definition,
    retry: {
      tries,
      // Whoever sets one of the two does not expect the built-in other one to get in its way.
      baseMs: baseMs ?? Math.min(DEFAULT_RETRY.baseMs, maxMs ?? DEFAULT_RETRY.baseMs),
      maxMs: maxMs ?? Math.max(DEFAULT_RETRY.maxMs, baseMs ?? 0),
    },
  };
}
