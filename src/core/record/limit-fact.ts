export type LimitName = 'iterations' | 'toolRounds' | 'durationMs' | 'tokens' | 'usd';

/** For a run and all runs below it together. */
export type SharedLimit = Extract<LimitName, 'tokens' | 'usd'>;

/** The run above changed what this run may spend. `isMore`: the run had stopped at the limit, and continues. */
export interface LimitShared {
  readonly kind: 'limit.shared';
  readonly limit: SharedLimit;
  readonly allowed: number;
  readonly isMore?: true;
}

export interface LimitReached {
  readonly kind: 'limit.reached';
  readonly limit: LimitName;
  readonly allowed: number;
  readonly used: number;
  /** The state that would have been entered, or in which the limit was met. */
  readonly state: string;
  /** A price is not known, so what was spent is not either. */
  readonly isUnknown?: true;
  /** It is what the run above left to this one: that run asks a person. */
  readonly isOfParent?: true;
}
