import { ENGINE, type ReviewFinding } from '../rules/finding.ts';
import type { Ledger } from '../rules/ledger.ts';
import { stateOf } from '../rules/open-findings.ts';
import type { FindingDraft } from '../rules/review.ts';
import { addEngineFinding, closeByEvidence } from '../rules/take-evidence.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import type { EvidenceInput, PackGiven } from './review-input.ts';

export interface EngineFinding {
  readonly id: string;
  readonly evidence: EvidenceInput | null;
  /** It is what it was when it began. */
  readonly isEmpty: boolean;
}

/** What the engine itself holds against an implementation. `review.pack` finds it, since it looks at the files. */
export function engineFindings({ id, evidence, isEmpty }: EngineFinding): readonly FindingDraft[] {
  const base = { implementation: id, severity: 'critical', priority: 1, line: null } as const;
  const tampered = (evidence?.tampered ?? []).slice(0, MOST).map(({ path, how }) => ({
    ...base,
    file: path,
    claim: `${shownPath(path)} was ${how}, and the command that verifies the work counts on it.`,
    change: how === 'added' ? 'Remove it.' : 'Put it back as it was.',
  }));
  const empty = { ...base, file: null, claim: 'Nothing was changed.', change: 'Do what the task asks for.' };
  return isEmpty ? [...tampered, empty] : tampered;
}

/** More of them say nothing more. */
const MOST = 30;

/**
 * Brings the engine's findings in the ledger to what is seen now: new ones stand at once, those that are seen no more are closed
 * by that. Nobody else opens or closes them, and doing it again changes nothing.
 */
export function withEngineFindings(ledger: Ledger, { trees, engine = [] }: PackGiven): Ledger {
  const isSeen = (finding: ReviewFinding): boolean =>
    engine.some((one) => one.implementation === finding.implementation && one.claim === finding.claim);
  let now = ledger;
  for (const draft of engine) now = addEngineFinding(now, draft, 'The engine saw it.').ledger;
  for (const finding of now.findings) {
    const { id, by, implementation } = finding;
    const isJudged = by === ENGINE && implementation !== null && Object.hasOwn(trees, implementation);
    if (!isJudged || stateOf(now, finding) !== 'standing' || isSeen(finding)) continue;
    now = closeByEvidence(now, id, { stands: false, reason: 'The engine looked again: it is fixed.' }).ledger;
  }
  return now;
}
