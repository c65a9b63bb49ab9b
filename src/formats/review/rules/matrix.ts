import type { ReviewFinding } from './finding.ts';
import { byFinding, lastStance } from './last-stance.ts';
import type { Ledger, Spoken, Stance } from './ledger.ts';
import { stateOf, type FindingState } from './open-findings.ts';
import type { StanceKind } from './position.ts';

/** Findings × reviewers × rounds for people, complete. */
export interface Matrix {
  readonly rows: readonly MatrixRow[];
  readonly verdicts: readonly MatrixVerdicts[];
}

export interface MatrixRow {
  readonly finding: ReviewFinding;
  readonly state: FindingState;
  /** One for each reviewer, in their order, also for those that are out. */
  readonly cells: readonly MatrixCell[];
}

export interface MatrixCell {
  readonly reviewer: string;
  readonly isAuthor: boolean;
  /** Its present stance; null without one in this debate. */
  readonly stance: StanceKind | null;
  /** All it said of it, in order. */
  readonly said: readonly Stance[];
}

export interface MatrixVerdicts {
  readonly reviewer: string;
  readonly isOut: boolean;
  readonly said: readonly Spoken[];
}

export function matrix(ledger: Ledger): Matrix {
  const { reviewers, findings, positions, out } = ledger;
  return {
    rows: findings.map((finding) => ({
      finding,
      state: stateOf(ledger, finding),
      cells: reviewers.map((reviewer) => cellOf(ledger, finding, reviewer)),
    })),
    verdicts: reviewers.map((reviewer) => ({
      reviewer,
      isOut: out.some(({ id }) => id === reviewer),
      said: positions.filter((one) => one.reviewer === reviewer),
    })),
  };
}

const cellOf = (ledger: Ledger, finding: ReviewFinding, reviewer: string): MatrixCell => ({
  reviewer,
  isAuthor: finding.by === reviewer,
  stance: lastStance(ledger, finding, reviewer)?.stance ?? null,
  said: (byFinding(ledger.stances).get(finding.id) ?? []).filter((one) => one.reviewer === reviewer),
});
