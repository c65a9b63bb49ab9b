import type { PhaseSpec } from './phase-list.ts';

/** Everything a phase waits for, also over others. */
export function ancestorsOf(phases: readonly PhaseSpec[]): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map(phases.map(({ id, dependsOn }) => [id, dependsOn]));
  return new Map(
    phases.map(({ id }) => {
      const found = new Set(direct.get(id));
      // A set gives what is added while it is gone through, too.
      for (const one of found) for (const other of direct.get(one) ?? []) found.add(other);
      return [id, found];
    }),
  );
}

/** Phases that wait for each other, told as the way round: `a -> b -> a`; null where there is no circle. */
export function circleIn(phases: readonly PhaseSpec[]): readonly string[] | null {
  const ancestors = ancestorsOf(phases);
  const first = phases.find(({ id }) => ancestors.get(id)?.has(id));
  if (first === undefined) return null;
  const way = [first.id];
  const direct = new Map(phases.map(({ id, dependsOn }) => [id, dependsOn]));
  for (let at = first.id; ;) {
    const next = (direct.get(at) ?? []).find((id) => id === first.id || leadsTo(id, first.id));
    if (next === undefined || next === first.id || way.includes(next)) return [...way, first.id];
    way.push(next);
    at = next;
  }

  function leadsTo(from: string, to: string): boolean {
    return ancestors.get(from)?.has(to) === true;
  }
}

/** Whether a phase may run while another one does. */
export function hasCompany({ id }: PhaseSpec, phases: readonly PhaseSpec[]): boolean {
  const ancestors = ancestorsOf(phases);
  const before = ancestors.get(id) ?? new Set();
  return phases.some((other) => other.id !== id && !before.has(other.id) && ancestors.get(other.id)?.has(id) !== true);
}
