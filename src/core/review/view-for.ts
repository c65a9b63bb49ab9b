import type { Finding } from './finding.ts';
import {
  isRoundOver,
  liveImplementations,
  liveReviewers,
  type Ledger,
  type Spoken,
  type Stance,
  type TestRun,
} from './ledger.ts';
import { byFinding } from './last-stance.ts';
import { awaiting, openFindings } from './open-findings.ts';

/** What a reviewer may see now. */
export interface ReviewerView {
  readonly reviewer: string;
  /** First reviews are blind: nothing of the others is shown. */
  readonly isBlind: boolean;
  /** After a revision. */
  readonly isFinal: boolean;
  /** The round it would speak in. */
  readonly round: number;
  readonly maxRounds: number;
  readonly others: readonly string[];
  readonly implementations: readonly string[];
  /** What is open, with what was said of it. */
  readonly open: readonly ViewedFinding[];
  /** What is no longer debated. */
  readonly settled: readonly Finding[];
  /** What the others said last about the whole; of rounds that are over only. */
  readonly verdicts: readonly Spoken[];
}

export interface ViewedFinding {
  readonly finding: Finding;
  readonly stances: readonly Stance[];
  readonly tests: readonly TestRun[];
  /** It still has to say where it stands. */
  readonly isAwaited: boolean;
}

/**
 * Stances are seen as they come, verdicts and rankings only when all have spoken in their round, and first reviews only when all
 * are in: so nobody's verdict follows another's.
 */
export function viewFor(ledger: Ledger, reviewer: string): ReviewerView {
  const isOver = isRoundOver(ledger);
  const isBlind = ledger.round === 0 && !isOver;
  return {
    reviewer,
    isBlind,
    isFinal: ledger.debate > 1,
    round: isBlind ? 0 : ledger.round + (isOver ? 1 : 0),
    maxRounds: ledger.maxRounds,
    others: liveReviewers(ledger).filter((other) => other !== reviewer),
    implementations: liveImplementations(ledger),
    open: isBlind ? [] : viewed(ledger, reviewer),
    settled: isBlind ? [] : ledger.findings.filter(({ closed }) => closed !== null),
    verdicts: isBlind ? [] : lastVerdicts(ledger, isOver),
  };
}

function viewed(ledger: Ledger, reviewer: string): readonly ViewedFinding[] {
  const awaited = new Set(awaiting(ledger, reviewer));
  const stances = byFinding(ledger.stances);
  return openFindings(ledger).map((finding) => ({
    finding,
    stances: stances.get(finding.id) ?? [],
    tests: ledger.tests.filter((one) => one.finding === finding.id),
    isAwaited: awaited.has(finding),
  }));
}

function lastVerdicts(ledger: Ledger, isOver: boolean): readonly Spoken[] {
  const { positions, debate, round } = ledger;
  const isShown = (one: Spoken): boolean => one.debate < debate || one.round < round || isOver;
  return liveReviewers(ledger).flatMap((reviewer) => {
    const last = positions.findLast((one) => one.reviewer === reviewer && isShown(one));
    return last === undefined ? [] : [last];
  });
}
