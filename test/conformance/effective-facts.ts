import type { Fact, JournalRecord } from '../../src/core/record/fact.ts';

/** The facts that count: what a run was put back behind happened, but not to the run as it is now. */
export function effectiveFacts(records: readonly JournalRecord[]): readonly Fact[] {
  const upTo: (readonly Fact[])[] = [[]];
  for (const { fact } of records) {
    const isBack = fact.kind === 'run.rewound' && fact.state !== null;
    const before = upTo[isBack ? fact.to : upTo.length - 1] ?? [];
    upTo.push([...before, fact]);
  }
  return upTo.at(-1) ?? [];
}
