import type { TreeRecord } from './port.ts';

/** As many whole commits as the limit allows, and at least one, of records in order. */
export function wholeCommits(ordered: readonly TreeRecord[], limit: number): readonly TreeRecord[] {
  const next = ordered[Math.max(0, Math.floor(limit))];
  if (next === undefined) return ordered;
  const end = ordered.findIndex(({ commit }) => commit === next.commit);
  if (end > 0) return ordered.slice(0, end);
  return ordered.filter(({ commit }) => commit === next.commit);
}
