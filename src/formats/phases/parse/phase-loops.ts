import type { PhaseLowering } from './lower-phase.ts';
import type { PhasePart } from './phase-part.ts';
import type { PhaseFile } from './phase-list.ts';

type PartsById = ReadonlyMap<string, PhasePart>;

const DEFAULT_ROUNDS = 3;

/** A phase of type `fix` repeats together with the phases in its condition. */
export function loopOf(part: PhasePart, parts: PartsById, file: PhaseFile): PhaseLowering['loop'] {
  const judged = judgedBy(part, parts);
  if (judged.length === 0) return null;
  const rounds = part.spec.maxIterations ?? file.head.errors?.fix_rounds ?? DEFAULT_ROUNDS;
  return {
    rounds,
    phases: judged.map((one) => ({
      id: one.spec.id,
      workflow: one.workflow,
      isApart: one.isApart,
      reads: readsOf(one, parts, file),
    })),
  };
}

/** The phases that a loop runs again; none where a phase does not loop. */
function judgedBy({ spec, read }: PhasePart, parts: PartsById): readonly PhasePart[] {
  const isFix = spec.agentType === 'fix' && spec.condition !== null;
  if (spec.maxIterations === null && !isFix) return [];
  const judged = spec.dependsOn.filter((id) => read.conditionReads.includes(id));
  return (judged.length > 0 ? judged : spec.dependsOn).flatMap((id) => parts.get(id) ?? []);
}

/**
 * The phases whose results a phase is handed: those that its templates read. A loop also hands them to the phases that it runs again,
 * and has to know the files that it may fix.
 */
export function readsOf(part: PhasePart, parts: PartsById, file: PhaseFile): readonly string[] {
  const all = new Set([part]);
  // A set also yields items added during the loop, and ends when phases wait for each other.
  for (const one of all) for (const judged of judgedBy(one, parts)) all.add(judged);
  const read = [...all].flatMap((one) => [one.key, ...one.read.references.map(({ phase }) => phase)]);
  const makers = all.size === 1 ? [] : file.phases.map(({ id }) => id).filter((id) => makesWork(parts.get(id)));
  return [...new Set([...read, ...makers])].filter((id) => id !== part.key);
}

const makesWork = (part: PhasePart | undefined): boolean =>
  part?.owed.some(({ type }) => type === 'code' || type === 'data') === true;

/** A phase that builds on what a loop judges waits until the loop is over. */
export function waitsOf(parts: readonly PhasePart[]): ReadonlyMap<string, readonly string[]> {
  const byId = new Map(parts.map((part) => [part.key, part]));
  const loops = parts.flatMap((part) => {
    const judged = judgedBy(part, byId).map(({ spec }) => spec.id);
    return judged.length === 0 ? [] : [{ id: part.spec.id, judged }];
  });
  return new Map(
    parts.map(({ spec }) => {
      const mine = loops.filter(
        ({ id, judged }) => id !== spec.id && judged.some((one) => spec.dependsOn.includes(one)),
      );
      // Two loops over the same phase would wait for each other: the one that comes first in the file goes first.
      const own = parts.findIndex((one) => one.spec.id === spec.id);
      const isLoop = loops.some(({ id }) => id === spec.id);
      const before = mine.filter(({ id }) => !isLoop || parts.findIndex((one) => one.spec.id === id) < own);
      return [spec.id, before.map(({ id }) => id)];
    }),
  );
}
