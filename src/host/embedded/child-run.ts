import { Fault } from '../../core/fault.ts';
import type { Definition } from '../../core/role.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { totalTokens } from '../../core/usage.ts';
import { runTime } from '../../core/work-clock.ts';
import type { Limits } from '../../core/workflow.ts';

const cache = new WeakMap<Definition, Map<string, Definition>>();

/** The child's definition is part of its parent's; the same object each time, so that it is hashed and stored once. */
export function childDefinition(parent: Definition, name: string): Definition {
  const known = cache.get(parent) ?? new Map<string, Definition>();
  cache.set(parent, known);
  const found = known.get(name);
  if (found !== undefined) return found;
  const workflow = parent.library[name];
  if (workflow === undefined) {
    throw new Fault('WORKFLOW_UNKNOWN', `There is no workflow ${name}.`, {
      hint: 'Check the name of the sub-workflow.',
    });
  }
  const definition: Definition = { ...parent, workflow };
  known.set(name, definition);
  return definition;
}

/** A child may use what its parent has left of time, tokens and money, or what its own workflow allows where that is less. */
export function childLimits(parent: Snapshot, own: Limits, now: number): Partial<Limits> {
  const { limits, usage, costUsd, clock } = parent;
  return {
    ...least('tokens', limits.tokens, totalTokens(usage), own.tokens),
    ...least('usd', limits.usd, costUsd ?? 0, own.usd),
    ...least('durationMs', limits.durationMs, runTime(clock, now).workedMs, own.durationMs),
  };
}

// oxlint-disable-next-line eslint/max-params -- one row of a small table
function least(
  name: keyof Limits,
  allowed: number | undefined,
  used: number,
  own: number | undefined,
): Partial<Limits> {
  return allowed === undefined ? {} : { [name]: Math.min(Math.max(0, allowed - used), own ?? Infinity) };
}
