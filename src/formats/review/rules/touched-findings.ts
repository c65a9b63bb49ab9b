import { ENGINE, type ReviewFinding } from './finding.ts';
import type { Ledger } from './ledger.ts';
import { stateOf } from './open-findings.ts';

/** A file that a revision changed. */
export interface RevisedFile {
  readonly path: string;
}

/** By finding: whether a revision changed the file that it names, according to the files and not to anyone's word. */
export function touchedFindings(
  ledger: Ledger,
  revised: ReadonlyMap<string, readonly RevisedFile[]>,
): Readonly<Record<string, boolean>> {
  const assigned = [...revised].flatMap(([id, files]) =>
    assignedTo(ledger, id).map((finding) => [finding.id, isTouched(finding, files)] as const),
  );
  // A finding about all of them is touched when one of them touched it.
  const touched = new Set(assigned.filter(([, is]) => is).map(([id]) => id));
  return Object.fromEntries(assigned.map(([id]) => [id, touched.has(id)]));
}

/** The findings sent to the implementer. Evidence decides about the engine's own, not whether a place was touched. */
const assignedTo = (ledger: Ledger, id: string): readonly ReviewFinding[] =>
  ledger.findings.filter(
    (finding) =>
      finding.by !== ENGINE &&
      (finding.implementation === null || finding.implementation === id) &&
      ['standing', 'open'].includes(stateOf(ledger, finding)),
  );

/** A finding without a place is touched by any change. */
const isTouched = ({ file }: ReviewFinding, files: readonly RevisedFile[]): boolean =>
  file === null ? files.length > 0 : files.some(({ path }) => path === file);
