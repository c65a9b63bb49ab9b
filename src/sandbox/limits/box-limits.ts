import type { BoxLimits } from '../port.ts';
import { openControlGroup } from './control-group.ts';
import { DEFAULT_RESOURCE_LIMITS, limitPrefix, ownCeilings } from './resource-limits.ts';

/** How the number of processes is limited here: `rlimit` does nothing for root, and outside of a namespace counts strangers. */
export type ProcessLimit = 'rlimit' | 'control-group' | 'none';

/** Puts the limits of one box into force. */
export function openLimits(limits: BoxLimits, processLimit: ProcessLimit): OpenLimits {
  const max = limits.processes === undefined ? DEFAULT_RESOURCE_LIMITS.processes : limits.processes;
  const group = processLimit === 'control-group' && max !== null ? openControlGroup(max) : null;
  return {
    outer: group?.prefix ?? [],
    inner: limitPrefix(limits, { countsProcesses: processLimit === 'rlimit', ceilings: ownCeilings() }),
    remove: () => group?.remove() ?? Promise.resolve(),
  };
}

export interface OpenLimits {
  /** Words that go before everything else. */
  readonly outer: readonly string[];
  /** Words that go right before the program. */
  readonly inner: readonly string[];
  readonly remove: () => Promise<void>;
}
