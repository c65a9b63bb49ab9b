import type { JournalRecord } from '../../../core/record/fact.ts';
import { foldRecords } from '../../../core/fold/fold.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import { SEVERITIES, type Severity } from '../rules/finding.ts';
import { newLedger, type Ledger } from '../rules/ledger.ts';
import { stateOf } from '../rules/open-findings.ts';
import { rankByReviewers, rankByTests, type Ranked } from '../rules/rank.ts';
import type { CompareView, DiffSize, EvidenceView, FindingCounts, ImplementationView } from './compare-view.ts';
import { decisionView } from './fold-debate.ts';
import { reviewData, type ReviewData } from './review-data.ts';
import { reviewHistory, type ReviewHistory } from './review-history.ts';
import { reviewRun, type ReviewSurroundings } from './review-run.ts';
import { SpendingBook, type AgentTurns } from './spending-book.ts';

export interface CompareSurroundings extends ReviewSurroundings {
  /** Sizes as the files say, where they are kept; else what the reviewers were first given counts. */
  readonly sizes?: ReadonlyMap<string, DiffSize> | undefined;
}

/** Implementations side by side, as the records of the run tell of them. */
export function foldCompare(records: readonly JournalRecord[], surroundings: CompareSurroundings): CompareView {
  const snapshot = foldRecords(records);
  const data = reviewData(snapshot.data);
  const history = reviewHistory(records);
  const known: Known = {
    data,
    history,
    ledger: data.ledger ?? newLedger([], [], 0),
    book: new SpendingBook(records),
    ranking: rankingOf(data, history),
    merged: history.merges.findLast(({ outcome }) => outcome === 'ok')?.agent ?? null,
    isOver: snapshot.status === 'settled',
    sizes: surroundings.sizes ?? new Map(),
  };
  return {
    kind: 'compare',
    ...reviewRun(snapshot, data, surroundings),
    verify: data.verify,
    pick: history.pick,
    revisions: data.revisions,
    implementations: implementationsIn(known).map((id) => implementationView(id, known)),
    winner: known.merged ?? history.merges.at(-1)?.agent ?? bestOf(data),
    isMerged: known.merged !== null,
    decision: data.decision === null ? null : decisionView(data.decision),
  };
}

interface Known {
  readonly data: ReviewData;
  readonly history: ReviewHistory;
  readonly ledger: Ledger;
  readonly book: SpendingBook;
  readonly ranking: readonly Ranked[];
  readonly merged: string | null;
  readonly isOver: boolean;
  readonly sizes: ReadonlyMap<string, DiffSize>;
}

/** A hybrid is one of its own, as soon as its files are there to be merged. */
function implementationsIn({ ledger, history }: Known): readonly string[] {
  return [...new Set([...ledger.implementations, ...history.merges.map(({ agent }) => agent)])];
}

const bestOf = ({ decision }: ReviewData): string | null =>
  decision === null || decision.needs !== null ? null : decision.best;

/** Of the last debate in which all that came out well were judged; later ones rank only those that were revised. */
function rankingOf({ evidence, lost }: ReviewData, { pick, debates }: ReviewHistory): readonly Ranked[] {
  const isLost = (id: string, ledger: Ledger): boolean => [...lost, ...ledger.lost].some((one) => one.id === id);
  const whole = debates.findLast(({ ledger }) => ledger.resting.every((id) => isLost(id, ledger)))?.ledger;
  if (whole === undefined || !whole.positions.some(({ ranking }) => ranking.length > 0)) return [];
  const all = { ...whole, implementations: whole.implementations.filter((id) => !isLost(id, whole)) };
  const seen = Object.fromEntries(Object.entries(evidence).map(([id, one]) => [id, evidenceView(one)]));
  return pick === 'tests' ? rankByTests(all, seen) : rankByReviewers(all, seen);
}

function implementationView(id: string, known: Known): ImplementationView {
  const { data, book, sizes, history } = known;
  const { models, outcome, states } = book.agent(id) ?? NO_TURNS;
  const evidence = data.evidence[id];
  return {
    id,
    models,
    standing: standingOf(id, known),
    outcome,
    lost: data.lost.find((one) => one.id === id) ?? null,
    evidence: evidence === undefined ? null : evidenceView(evidence),
    diff: sizes.get(id) ?? firstSize(history.firstDiffs[id]),
    findings: findingCounts(known.ledger, id),
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
  const { data, ledger, merged, history, isOver } = known;
  if (merged === id) return 'merged';
  if ([...data.lost, ...ledger.lost].some((one) => one.id === id)) return 'lost';
  if (data.unverified?.implementation === id) return 'unverified';
  // What collided goes back to its author, and is merged again.
  if (history.merges.at(-1)?.agent === id) return isOver ? 'unmerged' : 'best';
  if (isMixture(id, known)) return 'unmerged';
  return Object.hasOwn(history.firstDiffs, id) ? seen(id, known) : unseen(id, known);
}

/** Put together of several. Where its merge was not the last one, it did not do, and the best one stands for itself. */
const isMixture = (id: string, { ledger, history }: Known): boolean =>
  !ledger.implementations.includes(id) && history.merges.some(({ agent }) => agent === id);

function seen(id: string, { data, ledger, merged, history }: Known): ImplementationView['standing'] {
  if (merged !== null || ledger.resting.includes(id)) return 'aside';
  return history.merges.length === 0 && bestOf(data) === id ? 'best' : 'judged';
}

/** Nobody was shown what it is. */
function unseen(id: string, { book, isOver }: Known): ImplementationView['standing'] {
  if (book.agent(id)?.outcome === 'ok') return 'unreviewed';
  return isOver ? 'lost' : 'working';
}

function evidenceView(given: JsonObject): EvidenceView {
  const number = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);
  const { isGreen, exitCode, passed, failed, problem, output, ms, tampered } = given;
  return {
    isGreen: isGreen === true,
    exitCode: number(exitCode),
    passed: number(passed),
    failed: number(failed),
    problem: typeof problem === 'string' ? problem : null,
    output: typeof output === 'string' ? output : '',
    ms: number(ms),
    tampered: Array.isArray(tampered) ? (tampered as EvidenceView['tampered']) : [],
  };
}

function firstSize(diff: Json | undefined): DiffSize | null {
  const files = isJsonObject(diff) && Array.isArray(diff['files']) ? (diff['files'] as readonly Json[]) : null;
  if (files === null) return null;
  const sum = (key: string): number =>
    files.reduce<number>((total, file) => total + (isJsonObject(file) ? Number(file[key] ?? 0) : 0), 0);
  const count = isJsonObject(diff) && typeof diff['count'] === 'number' ? diff['count'] : files.length;
  return { files: count, added: sum('added'), removed: sum('removed'), binary: sum('isBinary'), of: 'first' };
}

function findingCounts(ledger: Ledger, id: string): FindingCounts {
  const against: Record<Severity, number> = { critical: 0, major: 0, minor: 0, nit: 0 };
  let done = 0;
  // What is put together of several was reviewed by nobody.
  if (!ledger.implementations.includes(id)) return { against, done };
  for (const finding of ledger.findings) {
    if (finding.implementation !== id && finding.implementation !== null) continue;
    const state = stateOf(ledger, finding);
    if (state === 'fixed' || state === 'withdrawn' || state === 'refuted') done += 1;
    else against[finding.severity] += 1;
  }
  return { against, done };
}

/** How many there are of each, worst first; what there is none of is left out. */
export const severityCounts = (counts: FindingCounts['against']): readonly (readonly [Severity, number])[] =>
  SEVERITIES.flatMap((severity) => (counts[severity] === 0 ? [] : [[severity, counts[severity]] as const]));
