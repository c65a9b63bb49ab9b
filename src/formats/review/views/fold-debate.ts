import type { JournalRecord } from '../../../core/record/fact.ts';
import { foldRecords } from '../../../core/fold/fold.ts';
import { convergence } from '../rules/debate-end.ts';
import type { ReviewDecision } from '../rules/decide.ts';
import { isRoundOver, type Ledger, type Spoken } from '../rules/ledger.ts';
import { matrix } from '../rules/matrix.ts';
import { nextSpeaker } from '../rules/next-speaker.ts';
import { openFindings } from '../rules/open-findings.ts';
import type { PastDebate, ReviewState } from '../rules/review-state.ts';
import { summary } from '../rules/summary.ts';
import type { DebateEnd, DebateView, DecisionView, ReviewerView, RoundView, VerdictView } from './debate-view.ts';
import { NO_REVIEW, reviewStateIn } from './review-state-in.ts';
import { reviewRun, type ReviewSurroundings } from './review-run.ts';
import { SpendingBook } from './spending-book.ts';

/** A debate from its records: findings × reviewers × rounds, its result, and its cost. */
export function foldDebate(records: readonly JournalRecord[], surroundings: ReviewSurroundings): DebateView {
  const snapshot = foldRecords(records);
  const state = reviewStateIn(snapshot.data) ?? NO_REVIEW;
  const book = new SpendingBook(records);
  const isOver = snapshot.status === 'settled';
  const { ledger } = state;
  const { rows } = matrix(ledger);
  return {
    kind: 'debate',
    ...reviewRun(snapshot, surroundings),
    debate: ledger.debate,
    round: ledger.round,
    maxRounds: ledger.maxRounds,
    speaker: isOver ? null : nextSpeaker(ledger),
    reviewers: reviewersOf(ledger, book, isOver),
    implementations: ledger.implementations,
    lost: lostOf(ledger, state.lost),
    resting: ledger.resting,
    findings: rows.map(({ finding, state, cells }) => ({ ...finding, state, stances: cells })),
    counts: summary(ledger).findings,
    open: openFindings(ledger).map(({ id }) => id),
    rounds: roundsOf(ledger, isOver),
    tests: ledger.tests,
    debates: debatesOf(state).map((past) => debateEnd(past, ledger, book)),
    decision: decisionView(state.decision),
    spending: book.spending,
  };
}

/** The earlier debates, and the present one once it has a statement. */
function debatesOf({ ledger, debates, decision, decidedIn }: ReviewState): readonly PastDebate[] {
  const { debate, resting, positions, out } = ledger;
  if (out.length === 0 && !positions.some((one) => one.debate === debate)) return debates;
  const now = { debate, came: convergence(ledger), resting, decision: decidedIn === debate ? decision : null };
  return [...debates, now];
}

function reviewersOf(ledger: Ledger, book: SpendingBook, isOver: boolean): readonly ReviewerView[] {
  const shown = ledger.positions.filter((spoken) => !isHidden(ledger, spoken, isOver));
  return summary(ledger).reviewers.map((one) => ({
    ...one,
    verdict: shown.findLast(({ reviewer }) => reviewer === one.reviewer)?.verdict ?? null,
    models: book.agent(one.reviewer)?.models ?? [],
  }));
}

/** The child run of a failed implementation has more details than the ledger. */
function lostOf(ledger: Ledger, failures: ReviewState['lost']): DebateView['lost'] {
  const { debate, round, lost } = ledger;
  const known = new Map(lost.map((one) => [one.id, one]));
  for (const { id, outcome, reason } of failures)
    known.set(id, { debate, round, ...known.get(id), id, reason: reason ?? outcome });
  return [...known.values()];
}

/** Verdicts of the present round are hidden until all have spoken: people may talk to reviewers, too. */
const isHidden = (ledger: Ledger, { debate, round }: Spoken, isOver: boolean): boolean =>
  !isOver && debate === ledger.debate && round === ledger.round && !isRoundOver(ledger);

function roundsOf(ledger: Ledger, isOver: boolean): readonly RoundView[] {
  const byRound = Map.groupBy(ledger.positions, ({ debate, round }) => `${debate}/${round}`);
  return [...byRound.values()].flatMap((spoken) => {
    const [first] = spoken;
    if (first === undefined) return [];
    const { debate, round } = first;
    return [{ debate, round, verdicts: spoken.map((one) => verdictView(one, isHidden(ledger, one, isOver))) }];
  });
}

const verdictView = ({ reviewer, verdict, ranking, summary: text, flaws }: Spoken, hidden: boolean): VerdictView =>
  hidden
    ? { reviewer, isHidden: true, verdict: null, ranking: [], summary: '' }
    : { reviewer, isHidden: false, verdict, ranking, summary: text, ...(flaws === undefined ? {} : { flaws }) };

function debateEnd({ debate, came, decision }: PastDebate, ledger: Ledger, book: SpendingBook): DebateEnd {
  const { kind, verdict, dissent } = came;
  const rounds = new Set(
    ledger.positions.filter((one) => one.debate === debate && one.round > 0).map(({ round }) => round),
  );
  return {
    debate,
    rounds: rounds.size,
    came: kind,
    verdict,
    dissent,
    decision: decisionView(decision),
    spending: book.ofDebate(debate),
  };
}

export function decisionView(decided: ReviewDecision | null): DecisionView | null {
  if (decided === null) return null;
  const { decision, best, chosen, reason, isSynthesis, dissent, needs } = decided;
  return { decision, best, chosen, reason, isSynthesis, dissent, needs, parts: decided.parts };
}
