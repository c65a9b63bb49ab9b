import { addFindings } from './add-findings.ts';
import { ENGINE, type Closing, type ReviewFinding } from './finding.ts';
import { lastStance } from './last-stance.ts';
import type { Ledger, TestRun } from './ledger.ts';
import { isAgainst, type ProposedTest } from './position.ts';
import type { FindingDraft } from './review.ts';
import { settleLedger } from './settle-ledger.ts';
import { whyNotHeard } from './take-review.ts';
import { done, refusedPosition, type TakenPosition } from './taken.ts';

/** The engine's own evidence on a finding. */
export interface FindingEvidence {
  readonly stands: boolean;
  readonly reason: string;
}

/** Evidence closes a finding, whatever the stances. */
export function closeByEvidence(ledger: Ledger, finding: string, { stands, reason }: FindingEvidence): TakenPosition {
  if (!ledger.findings.some(({ id }) => id === finding)) {
    return refusedPosition(ledger, 'FINDING_UNKNOWN', `There is no finding "${finding}".`);
  }
  const { debate, round } = ledger;
  const closed: Closing = { how: 'evidence', stands, debate, round, reason };
  return done(settleLedger(changed(ledger, finding, { closed })));
}

/** A finding of the engine itself, such as a test that was tampered with. It stands until evidence says otherwise. */
export function addEngineFinding(ledger: Ledger, draft: FindingDraft, reason: string): TakenPosition {
  const { ledger: now, ids } = addFindings(ledger, ENGINE, [draft]);
  const { debate, round } = ledger;
  const closed: Closing = { how: 'evidence', stands: true, debate, round, reason };
  const stood = ids.reduce((kept, id) => changed(kept, id, { isVerified: true, closed }), now);
  return { ...done(settleLedger(stood)), added: ids };
}

/** Whether the places that findings name exist, by their ids. */
export function markVerified(ledger: Ledger, verified: Readonly<Record<string, boolean>>): Ledger {
  const findings = ledger.findings.map((finding) =>
    Object.hasOwn(verified, finding.id) ? { ...finding, isVerified: verified[finding.id] === true } : finding,
  );
  return { ...ledger, findings };
}

/** The result of a test that a reviewer proposed. */
export interface TestResult {
  readonly test: ProposedTest;
  readonly exitCode: number | null;
  readonly output: string;
}

/**
 * A test that confirms its proposer is shown to the others, and closes the finding when one of them proposes the same: otherwise the
 * test `true` would let one reviewer close the findings of others. A test that contradicts its proposer closes it at once.
 */
export function takeTest(ledger: Ledger, reviewer: string, { test, exitCode, output }: TestResult): TakenPosition {
  const stranger = whyNotHeard(ledger, reviewer);
  if (stranger !== null) return refusedPosition(ledger, stranger.code, stranger.message);
  const finding = ledger.findings.find(({ id }) => id === test.finding);
  if (finding === undefined)
    return refusedPosition(ledger, 'FINDING_UNKNOWN', `There is no finding "${test.finding}".`);
  const { debate, round } = ledger;
  const run: TestRun = { ...test, reviewer, debate, round, exitCode, output };
  const now = { ...ledger, tests: [...ledger.tests, run] };
  if (finding.closed !== null || exitCode === null) return done(settleLedger(now));
  const stands = (exitCode === 0) === (test.expect === 'pass');
  const isAgainst = stands !== holds(ledger, finding, reviewer);
  if (!isAgainst && !isShared(ledger, run)) return done(settleLedger(now));
  const reason = `\`${test.command}\` ended with ${exitCode}, which ${stands ? 'bears it out' : 'refutes it'}.`;
  return closeByEvidence(now, finding.id, { stands, reason });
}

/** The proposer's side. A reviewer without a stance proposes a test because of doubts. */
function holds(ledger: Ledger, finding: ReviewFinding, reviewer: string): boolean {
  const last = lastStance(ledger, finding, reviewer);
  return last !== null && !isAgainst(last.stance);
}

const isShared = ({ tests, debate }: Ledger, run: TestRun): boolean =>
  tests.some(
    (one) =>
      one.reviewer !== run.reviewer &&
      one.debate === debate &&
      one.finding === run.finding &&
      one.command === run.command &&
      one.expect === run.expect,
  );

function changed(ledger: Ledger, id: string, change: Partial<ReviewFinding>): Ledger {
  const findings = ledger.findings.map((finding) => (finding.id === id ? { ...finding, ...change } : finding));
  return { ...ledger, findings };
}
