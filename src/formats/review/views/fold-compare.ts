import type { JournalRecord } from '../../../core/record/fact.ts';
import { foldRecords } from '../../../core/fold/fold.ts';
import { SEVERITIES, type Severity } from '../rules/finding.ts';
import type { Ledger } from '../rules/ledger.ts';
import { stateOf } from '../rules/open-findings.ts';
import { commandIn } from '../rules/review-inputs.ts';
import type { ChangeSize } from '../rules/change-size.ts';
import type { CommandEvidence, ReviewState } from '../rules/review-state.ts';
import { rankByReviewers, rankByTests, type Ranked } from '../rules/rank.ts';
import type { CompareView, DiffSize, EvidenceView, FindingCounts, ImplementationView } from './compare-view.ts';
import { decisionView } from './fold-debate.ts';
import { NO_REVIEW, reviewStateIn } from './review-state-in.ts';
import { reviewMerges, type ReviewMerge } from './review-merges.ts';
import { reviewRun, type ReviewSurroundings } from './review-run.ts';
import { SpendingBook, type AgentTurns } from './spending-book.ts';

export interface CompareSurroundings extends ReviewSurroundings {
  /** Sizes as the files say, where they are kept; else what the reviewers were first given counts. */
  readonly sizes?: ReadonlyMap<string, DiffSize> | undefined;
}

/** The implementations side by side, from the records of the run. */
export function foldCompare(records: readonly JournalRecord[], surroundings: CompareSurroundings): CompareView {
  const snapshot = foldRecords(records);
  const state = reviewStateIn(snapshot.data) ?? NO_REVIEW;
  const merges = reviewMerges(records);
  const known: Known = {
    state,
    merges,
    book: new SpendingBook(records),
    ranking: rankingOf(state),
    merged: merges.findLast(({ outcome }) => outcome === 'ok')?.agent ?? null,
    isOver: snapshot.status === 'settled',
    sizes: surroundings.sizes ?? new Map(),
  };
  return {
    kind: 'compare',
    ...reviewRun(snapshot, surroundings),
    verify: commandIn(snapshot.data, state) || null,
    pick: state.pick,
    revisions: state.revisions,
    implementations: implementationsIn(known).map((id) => implementationView(id, known)),
    winner: known.merged ?? merges.at(-1)?.agent ?? bestOf(state),
    isMerged: known.merged !== null,
    decision: decisionView(state.decision),
  };
}

interface Known {
  readonly state: ReviewState;
  readonly merges: readonly ReviewMerge[];
  readonly book: SpendingBook;
  readonly ranking: readonly Ranked[];
  readonly merged: string | null;
  readonly isOver: boolean;
  readonly sizes: ReadonlyMap<string, DiffSize>;
}

/** A hybrid counts separately once its files exist. */
function implementationsIn({ state: { ledger }, merges }: Known): readonly string[] {
  return [...new Set([...ledger.implementations, ...merges.map(({ agent }) => agent)])];
}

const bestOf = ({ decision }: ReviewState): string | null =>
  decision === null || decision.needs !== null ? null : decision.best;

/** From the last debate about all successful implementations; later ones rank only the revised ones. */
function rankingOf({ evidence, lost, ledger, debates, pick }: ReviewState): readonly Ranked[] {
  const isLost = (id: string): boolean => [...lost, ...ledger.lost].some((one) => one.id === id);
  const whole = [...debates, ledger].findLast(({ resting }) => resting.every(isLost));
  const isThen = ({ debate }: { readonly debate: number }): boolean => debate <= (whole?.debate ?? 0);
  const positions = ledger.positions.filter(isThen);
  if (!positions.some(({ ranking }) => ranking.length > 0)) return [];
  const implementations = ledger.implementations.filter((id) => !isLost(id));
  const all = { ...ledger, implementations, positions, out: ledger.out.filter(isThen), resting: [] };
  return pick === 'tests' ? rankByTests(all, evidence) : rankByReviewers(all, evidence);
}

function implementationView(id: string, known: Known): ImplementationView {
  const { state, book, sizes } = known;
  const { models, outcome, states } = book.agent(id) ?? NO_TURNS;
  const evidence = state.evidence[id];
  return {
    id,
    models,
    standing: standingOf(id, known),
    outcome,
    lost: state.lost.find((one) => one.id === id) ?? null,
    evidence: evidence === undefined ? null : evidenceView(evidence),
    diff: sizes.get(id) ?? firstSize(state.firstSizes[id]),
    findings: findingCounts(state.ledger, id),
    ...rankOf(id, known.ranking),
    revisions: states.filter((state) => state === 'revise').length,
    spending: book.ofAgent(id),
  };
}

const NO_TURNS: AgentTurns = { outcome: null, models: [], states: [] };

function rankOf(id: string, ranking: readonly Ranked[]): Pick<ImplementationView, 'rank' | 'points'> {
  const place = ranking.findIndex(({ implementation }) => implementation === id);
  return { rank: place === -1 ? null : place + 1, points: ranking[place]?.points ?? null };
}

function standingOf(id: string, known: Known): ImplementationView['standing'] {
  const { state, merged, merges, isOver } = known;
  if (merged === id) return 'merged';
  if ([...state.lost, ...state.ledger.lost].some((one) => one.id === id)) return 'lost';
  if (state.unverified?.implementation === id) return 'unverified';
  // A conflict goes back to its author, and is merged again.
  if (merges.at(-1)?.agent === id) return isOver ? 'unmerged' : 'best';
  if (isMixture(id, known)) return 'unmerged';
  return Object.hasOwn(state.firstSizes, id) ? seen(id, known) : unseen(id, known);
}

/** Put together of several. Where its merge was not the last one, it did not do, and the best one stands for itself. */
const isMixture = (id: string, { state: { ledger }, merges }: Known): boolean =>
  !ledger.implementations.includes(id) && merges.some(({ agent }) => agent === id);

function seen(id: string, { state, merged, merges }: Known): ImplementationView['standing'] {
  if (merged !== null || state.ledger.resting.includes(id)) return 'aside';
  return merges.length === 0 && bestOf(state) === id ? 'best' : 'judged';
}

/** No reviewer has seen it. */
function unseen(id: string, { book, isOver }: Known): ImplementationView['standing'] {
  if (book.agent(id)?.outcome === 'ok') return 'unreviewed';
  return isOver ? 'lost' : 'working';
}

function evidenceView(evidence: CommandEvidence): EvidenceView {
  const { isGreen, exitCode, passed = null, failed = null, problem = null, output, ms = null, tampered } = evidence;
  return { isGreen, exitCode, passed, failed, problem, output, ms, tampered };
}

const firstSize = (size: ChangeSize | undefined): DiffSize | null =>
  size === undefined ? null : { ...size, of: 'first' };

function findingCounts(ledger: Ledger, id: string): FindingCounts {
  const against: Record<Severity, number> = { critical: 0, major: 0, minor: 0, nit: 0 };
  let done = 0;
  // A hybrid has no reviews.
  if (!ledger.implementations.includes(id)) return { against, done };
  for (const finding of ledger.findings) {
    if (finding.implementation !== id && finding.implementation !== null) continue;
    const state = stateOf(ledger, finding);
    if (state === 'fixed' || state === 'withdrawn' || state === 'refuted') done += 1;
    else against[finding.severity] += 1;
  }
  return { against, done };
}

/** The number of each, worst first; zeros are left out. */
export const severityCounts = (counts: FindingCounts['against']): readonly (readonly [Severity, number])[] =>
  SEVERITIES.flatMap((severity) => (counts[severity] === 0 ? [] : [[severity, counts[severity]] as const]));
