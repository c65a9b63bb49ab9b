/**
 * Long explorations (every write, every moment, every mutant) run whole with `npm run prove`. The tests run a sample of them: the same
 * one each time, with at least one case of each distinct kind.
 */
export const IS_PROOF = process.env['TROUPE_PROOF'] === 'whole';

/** The first case of each kind; all cases in a proof. */
export function firstOfEachKind<T>(cases: readonly T[], kindOf: (one: T) => string): readonly T[] {
  if (IS_PROOF) return cases;
  const kinds = cases.map(kindOf);
  return cases.filter((_, index) => kinds.indexOf(kinds[index] ?? '') === index);
}

/** So many cases at even distances, with the first and the last; all cases in a proof. */
export function evenly<T>(cases: readonly T[], most: number): readonly T[] {
  if (IS_PROOF || cases.length <= most) return cases;
  const step = (cases.length - 1) / Math.max(1, most - 1);
  return Array.from({ length: most }, (_, index) => Math.round(index * step)).flatMap((at) => cases.slice(at, at + 1));
}
