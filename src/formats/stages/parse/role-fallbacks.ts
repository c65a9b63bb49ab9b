import type { Role } from '../../../core/model/role.ts';
import type { Workflow } from '../../../core/model/workflow.ts';

/** By role: the fallbacks after a failed stage. */
export type Fallbacks = Readonly<Record<string, readonly string[]>>;

/** A stage workflow that can be lowered again once the fallbacks of its roles are known. */
export interface Relowering {
  /** The roles of its stages. */
  readonly roles: readonly string[];
  readonly lower: (fallback: Fallbacks) => readonly Workflow[];
}

const relowerings = new WeakMap<Workflow, Relowering>();

export function canLowerAgain(workflow: Workflow, relowering: Relowering): void {
  relowerings.set(workflow, relowering);
}

/** With the agents that the project's roles name as their fallbacks (ST5). */
export function withRoleFallbacks(
  workflows: Iterable<Workflow>,
  roles: Readonly<Record<string, Role>>,
): readonly Workflow[] {
  return [...workflows].flatMap((workflow) => {
    const relowering = relowerings.get(workflow);
    const fallback = relowering === undefined ? {} : fallbacksOf(relowering, roles);
    if (relowering === undefined || Object.keys(fallback).length === 0) return [workflow];
    return relowering.lower(fallback);
  });
}

function fallbacksOf(relowering: Relowering, roles: Readonly<Record<string, Role>>): Fallbacks {
  return Object.fromEntries(
    relowering.roles.flatMap((name) => {
      const fallback = Object.hasOwn(roles, name) ? roles[name]?.fallback : undefined;
      return fallback === undefined || fallback.length === 0 ? [] : [[name, fallback]];
    }),
  );
}
