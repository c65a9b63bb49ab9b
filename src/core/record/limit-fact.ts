export type LimitName = 'iterations' | 'toolRounds' | 'durationMs' | 'tokens' | 'usd';

export interface LimitReached {
  readonly kind: 'limit.reached';
  readonly limit: LimitName;
  readonly allowed: number;
  readonly used: number;
  /** The state that would have been entered, or in which the limit was met. */
  readonly state: string;
  /** A price is not known, so what was spent is not either. */
  readonly isUnknown?: true;
}
