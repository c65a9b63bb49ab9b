import { ENGINE, type ReviewFinding } from './finding.ts';
import type { Ledger } from './ledger.ts';
import { stateOf } from './open-findings.ts';
import type { ReviewPack } from './review-state.ts';
import { addEngineFinding, closeByEvidence } from './take-evidence.ts';

/**
 * Brings the engine's findings in the ledger to what is seen now: new ones stand at once, those that are seen no more are closed
 * by that. No reviewer opens or closes them, and doing it again changes nothing.
 */
export function withEngineFindings(ledger: Ledger, { trees, engine }: ReviewPack): Ledger {
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
