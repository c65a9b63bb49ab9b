import type { TreeRecord } from './port.ts';

/** The order of the records of a tree [J8]. */
export const byCommit = (a: TreeRecord, b: TreeRecord): number =>
  a.commit - b.commit || (a.run === b.run ? a.seq - b.seq : a.run < b.run ? -1 : 1);

/** As many whole commits as the limit allows, and at least one, of records in order. */
export function wholeCommits(ordered: readonly TreeRecord[], limit: number): readonly TreeRecord[] {
  const next = ordered[Math.max(0, Math.floor(limit))];
  if (next === undefined) return ordered;
  const end = ordered.findIndex(({ commit }) => commit === next.commit);
  if (end > 0) return ordered.slice(0, end);
  return ordered.filter(({ commit }) => commit === next.commit);
}
