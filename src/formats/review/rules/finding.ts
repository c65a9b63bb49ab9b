/** A reviewer's objection to an implementation, and its fate. Findings are never deleted, only closed. */
export interface ReviewFinding {
  /** `F1`, `F2` …, numbered by the ledger in order of arrival. */
  readonly id: string;
  /** Null when it is about none in particular: then it is about all of them. */
  readonly implementation: string | null;
  readonly severity: Severity;
  /** 1 to 5; 1 is done first. */
  readonly priority: number;
  readonly file: string | null;
  readonly line: number | null;
  readonly claim: string;
  /** The proposed change. */
  readonly change: string;
  /** The reviewer who found it, or `engine`. */
  readonly by: string;
  readonly debate: number;
  /** 0 for the first, blind reviews. */
  readonly round: number;
  /** Whether the place it names was found in the implementation's diff. */
  readonly isVerified: boolean;
  /** After a revision: whether the place it names was changed. Null when there was none. */
  readonly isTouched: boolean | null;
  /** How it read before, oldest first; the present words stand above. */
  readonly earlier: readonly Wording[];
  readonly closed: Closing | null;
}

export const SEVERITIES = ['critical', 'major', 'minor', 'nit'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The findings of the engine itself are closed by evidence alone. */
export const ENGINE = 'engine';

/** The parts of a finding that a reviewer may change. */
export interface Wording {
  readonly by: string;
  readonly severity: Severity;
  readonly priority: number;
  readonly claim: string;
  readonly change: string;
}

export interface Closing {
  /**
   * `agreed`: all say that it stands. `withdrawn`: its author took it back and no other reviewer holds it. `fixed`: its author says
   * that a revision removed it, and no other reviewer holds it. `evidence`: the engine saw for itself.
   */
  readonly how: 'agreed' | 'evidence' | 'withdrawn' | 'fixed';
  /** A finding that stands goes to the implementer. */
  readonly stands: boolean;
  readonly debate: number;
  readonly round: number;
  readonly reason: string;
}
