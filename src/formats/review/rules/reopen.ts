import { ENGINE, type ReviewFinding } from './finding.ts';
import type { Ledger } from './ledger.ts';
import { stateOf } from './open-findings.ts';
import { settleLedger } from './settle-ledger.ts';
import { done, type ReplyProblem, type TakenPosition } from './taken.ts';

export interface Reopening {
  readonly maxRounds: number;
  /** By the ids of findings: whether the revision changed what they name. */
  readonly touched: Readonly<Record<string, boolean>>;
  /** The implementations that were revised. */
  readonly chosen: readonly string[];
}

/**
 * The final review after a revision: the rounds start again, standing findings are judged again, and findings against implementations
 * that were not chosen rest. The engine's own findings stay closed by evidence.
 */
export function reopen(ledger: Ledger, { maxRounds, touched, chosen }: Reopening): TakenPosition {
  const known = ledger.implementations.filter(
    (one) => chosen.includes(one) && !ledger.lost.some(({ id }) => id === one),
  );
  const resting = known.length === 0 ? ledger.resting : ledger.implementations.filter((one) => !known.includes(one));
  const now: Ledger = { ...ledger, maxRounds, debate: ledger.debate + 1, round: 1, spoke: [], resting, outcome: null };
  const findings = ledger.findings.map((finding) => judgedAgain(now, finding, touched));
  return { ...done(settleLedger({ ...now, findings })), problems: strangers(ledger, chosen) };
}

function judgedAgain(ledger: Ledger, finding: ReviewFinding, touched: Reopening['touched']): ReviewFinding {
  const state = stateOf(ledger, finding);
  if (state !== 'open' && state !== 'standing') return finding;
  const isTouched = Object.hasOwn(touched, finding.id) ? touched[finding.id] === true : finding.isTouched;
  return { ...finding, isTouched, closed: finding.by === ENGINE ? finding.closed : null };
}

const strangers = ({ implementations }: Ledger, chosen: readonly string[]): readonly ReplyProblem[] =>
  chosen
    .filter((one) => !implementations.includes(one))
    .map((one) => ({ code: 'IMPLEMENTATION_UNKNOWN', message: `There is no implementation "${one}".` }));
