import type { TaskDone } from '../../core/event.ts';
import { Fault } from '../../core/fault.ts';
import type { TaskId } from '../../core/ids.ts';
import type { Definition } from '../../core/role.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { totalTokens } from '../../core/usage.ts';
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

/** A child may use what its parent has left of time, tokens and money. */
export function childLimits(parent: Snapshot, now: number): Partial<Limits> {
  const { limits, usage, costUsd, startedAt } = parent;
  return {
    ...(limits.tokens === undefined ? {} : { tokens: Math.max(0, limits.tokens - totalTokens(usage)) }),
    ...(limits.usd === undefined ? {} : { usd: Math.max(0, limits.usd - (costUsd ?? 0)) }),
    ...(limits.durationMs === undefined ? {} : { durationMs: Math.max(0, limits.durationMs - (now - startedAt)) }),
  };
}

export function childDone(task: TaskId, child: Snapshot): TaskDone {
  const result = child.result ?? { outcome: 'crashed', output: null, failure: null };
  return { kind: 'task.done', task, ...result, usage: child.usage, costUsd: child.costUsd };
}
