import { liveImplementations, liveReviewers, type Ledger } from './ledger.ts';

/** The engine's evidence from running the user's command on an implementation. */
export interface RankEvidence {
  readonly isGreen: boolean;
  readonly passed?: number | null;
  readonly failed?: number | null;
}

export type EvidenceByImplementation = Readonly<Record<string, RankEvidence>>;

export interface Ranked {
  readonly implementation: string;
  /** Points of a Borda count over the last ranking of each reviewer. */
  readonly points: number;
  readonly evidence: RankEvidence | null;
}

/** The implementations that are judged, best first: by points, ties by test results, then by their order. */
export const rankByReviewers = (ledger: Ledger, evidence: EvidenceByImplementation): readonly Ranked[] =>
  ranked(ledger, evidence).sort((left, right) => right.points - left.points || byTests(left, right));

/** Best first by test results: green before red, then more that passed; ties by points, then by their order. */
export const rankByTests = (ledger: Ledger, evidence: EvidenceByImplementation): readonly Ranked[] =>
  ranked(ledger, evidence).sort((left, right) => byTests(left, right) || right.points - left.points);

function ranked(ledger: Ledger, evidence: EvidenceByImplementation): Ranked[] {
  const live = liveImplementations(ledger);
  const rankings = lastRankings(ledger).map((ranking) => ranking.filter((one) => live.includes(one)));
  return live.map((implementation) => ({
    implementation,
    points: rankings.reduce((sum, ranking) => sum + pointsIn(ranking, implementation, live.length), 0),
    evidence: Object.hasOwn(evidence, implementation) ? (evidence[implementation] ?? null) : null,
  }));
}

/** The last ranking of each participant, or of all reviewers if none is left. A revision does not undo earlier rankings. */
function lastRankings(ledger: Ledger): readonly (readonly string[])[] {
  const live = liveReviewers(ledger);
  const voters = live.length > 0 ? live : ledger.reviewers;
  return voters.flatMap((reviewer) => {
    const last = ledger.positions.findLast((one) => one.reviewer === reviewer && one.ranking.length > 0);
    return last === undefined ? [] : [last.ranking];
  });
}

/** The last gets 0 points, each place above one more; unranked ones share the remaining points evenly. */
function pointsIn(ranking: readonly string[], implementation: string, count: number): number {
  const place = ranking.indexOf(implementation);
  return place === -1 ? (count - ranking.length - 1) / 2 : count - 1 - place;
}

const byTests = (left: Ranked, right: Ranked): number => colour(right) - colour(left) || passed(right) - passed(left);

const colour = ({ evidence }: Ranked): number => (evidence === null ? 1 : evidence.isGreen ? 2 : 0);

const passed = ({ evidence }: Ranked): number => evidence?.passed ?? 0;
