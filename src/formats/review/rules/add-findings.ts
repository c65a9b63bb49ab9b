import type { ReviewFinding } from './finding.ts';
import { lastStance } from './last-stance.ts';
import type { Ledger } from './ledger.ts';
import type { FindingDraft } from './review.ts';
import { isAgainst } from './position.ts';

export interface Added {
  readonly ledger: Ledger;
  readonly ids: readonly string[];
}

/** Gives new findings their ids. An author's exact repetition is not new. */
export function addFindings(ledger: Ledger, by: string, drafts: readonly FindingDraft[]): Added {
  const findings = [...ledger.findings];
  for (const draft of drafts) {
    if (findings.some((finding) => isHeldAlready(ledger, finding, { by, draft }))) continue;
    findings.push(findingOf(ledger, { by, draft, number: findings.length + 1 }));
  }
  const ids = findings.slice(ledger.findings.length).map(({ id }) => id);
  return { ledger: { ...ledger, findings }, ids };
}

interface NewFinding {
  readonly by: string;
  readonly draft: FindingDraft;
}

function isHeldAlready(ledger: Ledger, finding: ReviewFinding, { by, draft }: NewFinding): boolean {
  if (finding.by !== by) return false;
  const isSame = (['implementation', 'file', 'line', 'claim'] as const).every((key) => finding[key] === draft[key]);
  if (!isSame) return false;
  if (finding.closed !== null) return finding.closed.stands;
  const last = lastStance(ledger, finding, by);
  return last !== null && !isAgainst(last.stance);
}

function findingOf(
  { debate, round }: Ledger,
  { by, draft, number }: NewFinding & { readonly number: number },
): ReviewFinding {
  return {
    id: `F${number}`,
    ...draft,
    by,
    debate,
    round,
    isVerified: false,
    isTouched: null,
    earlier: [],
    closed: null,
  };
}
