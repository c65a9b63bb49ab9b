import type { ReviewFinding } from './finding.ts';
import {
  isRoundOver,
  liveImplementations,
  liveReviewers,
  type Ledger,
  type Spoken,
  type Stance,
  type TestRun,
} from './ledger.ts';
import { byFinding, lastStance, momentOf } from './last-stance.ts';
import { awaiting, openFindings } from './open-findings.ts';

/** The part of the ledger that a reviewer may see now. */
export interface ReviewerSight {
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
  /** Open findings, with the statements since this reviewer spoke last. */
  readonly open: readonly ViewedFinding[];
  /** Findings that are no longer debated. */
  readonly settled: readonly ReviewFinding[];
  /** The others' verdicts since this reviewer spoke last; of finished rounds only. */
  readonly verdicts: readonly Spoken[];
}

export interface ViewedFinding {
  readonly finding: ReviewFinding;
  readonly stances: readonly Stance[];
  readonly tests: readonly TestRun[];
  /** It still has to say where it stands. */
  readonly isAwaited: boolean;
  /** Its author took it back, so that this reviewer need not speak of it. */
  readonly isDropped: boolean;
  /** It was added or reworded since this reviewer spoke last. */
  readonly isNew: boolean;
}

/**
 * Stances are visible at once, verdicts and rankings only when all have spoken in their round, and first reviews only when all are in:
 * so no verdict follows another.
 */
export function reviewerSight(ledger: Ledger, reviewer: string): ReviewerSight {
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
    settled: isBlind ? [] : ledger.findings.filter((finding) => isSettled(ledger, finding)),
    verdicts: isBlind ? [] : lastVerdicts(ledger, reviewer),
  };
}

/** No longer debated, and about an implementation that is judged now. */
function isSettled(ledger: Ledger, { closed, implementation }: ReviewFinding): boolean {
  return closed !== null && (implementation === null || liveImplementations(ledger).includes(implementation));
}

function viewed(ledger: Ledger, reviewer: string): readonly ViewedFinding[] {
  const awaited = new Set(awaiting(ledger, reviewer));
  const stances = byFinding(ledger.stances);
  const isNews = newsFor(ledger, reviewer);
  return openFindings(ledger).map((finding) => {
    const said = (stances.get(finding.id) ?? []).filter(isNews);
    return {
      finding,
      stances: said,
      tests: ledger.tests.filter((one) => one.finding === finding.id && isNews(one)),
      isAwaited: awaited.has(finding),
      isDropped: !awaited.has(finding) && lastStance(ledger, finding, reviewer) === null,
      isNew:
        isNews({ ...finding, reviewer: finding.by }) ||
        hasNotSpoken(ledger, reviewer) ||
        said.some(({ stance }) => stance === 'revise'),
    };
  });
}

type Said = Pick<Spoken, 'reviewer' | 'debate' | 'round'>;

/** Whether another reviewer said something after this one spoke last: it has seen everything before that. */
function newsFor(ledger: Ledger, reviewer: string): (said: Said) => boolean {
  const { positions } = ledger;
  const last = positions.findLastIndex((one) => one.reviewer === reviewer && one.round > 0);
  return (said) => said.reviewer !== reviewer && momentOf(ledger, said) > last;
}

/** It has seen nothing but its own first review. */
const hasNotSpoken = ({ positions }: Ledger, reviewer: string): boolean =>
  !positions.some((one) => one.reviewer === reviewer && one.round > 0);

function lastVerdicts(ledger: Ledger, reviewer: string): readonly Spoken[] {
  const { positions, debate, round } = ledger;
  const isOver = isRoundOver(ledger);
  const isNews = newsFor(ledger, reviewer);
  const isShown = (one: Spoken): boolean => one.debate < debate || one.round < round || isOver;
  return liveReviewers(ledger).flatMap((other) => {
    const last = positions.findLast((one) => one.reviewer === other && isShown(one));
    return last === undefined || !isNews(last) ? [] : [last];
  });
}
