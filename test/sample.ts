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

/** Every third case, another third for the next group, so that each case is tried with a third of the groups; all in a proof. */
export const dealt = <T>(cases: readonly T[], group: number): readonly T[] =>
  cases.filter((_, index) => IS_PROOF || index % 3 === group % 3);
