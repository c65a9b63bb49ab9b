import type { ReviewFinding } from './finding.ts';
import { findingsFor } from './findings-for.ts';
import type { Ledger } from './ledger.ts';
import type { HybridPart } from './read-choice.ts';

/** Grave findings of which all agree that they stand, in what would be put together: each as a few words. */
export function hybridFlaws(ledger: Ledger, parts: readonly HybridPart[]): readonly string[] {
  const found = parts.flatMap(({ implementation, paths }) =>
    findingsFor(ledger, implementation).findings.filter(
      (finding) => isGrave(finding) && paths.some((path) => holds(path, implementation, finding)),
    ),
  );
  return [...new Set(found)].map(({ id, file, claim }) => `${id} stands in ${file ?? ''} (${claim})`);
}

/** All agree that it stands, or it was shown, and it is no small thing. */
export const isGrave = (finding: ReviewFinding): boolean => finding.closed?.stands === true && isSevere(finding);

export const isSevere = ({ severity }: ReviewFinding): boolean => severity === 'critical' || severity === 'major';

/** A finding without a file may be about an omitted part. */
function holds(path: string, implementation: string, { file, line }: ReviewFinding): boolean {
  if (file === null) return false;
  const [, name = path, from, to = from] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/s.exec(path) ?? [];
  if (!isBelow(plain(name, implementation), plain(file, implementation))) return false;
  return from === undefined || line === null || (line >= Number(from) && line <= Number(to));
}

const plain = (path: string, implementation: string): string => {
  const below = path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
  return below.startsWith(`${implementation}/`) ? below.slice(implementation.length + 1) : below;
};

/** A pattern matches everything with its plain prefix: better to weigh too much than too little. */
function isBelow(scope: string, file: string): boolean {
  const at = scope.search(/[*?[{]/);
  if (at !== -1) return file.startsWith(scope.slice(0, at));
  return file === scope || scope === '' || scope === '.' || file.startsWith(`${scope}/`);
}
