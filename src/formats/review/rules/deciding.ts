import type { Convergence, Ledger } from './ledger.ts';
import type { EvidenceByImplementation, Ranked } from './rank.ts';
import type { ChangeSize } from './change-size.ts';

/** How the best implementation is found (PD5). */
export type PickBy = 'ranking' | 'tests' | 'person' | 'synthesis';

export interface DecideBy {
  readonly pick: PickBy;
  /** The engine's evidence on each implementation; empty without a command. */
  readonly evidence: EvidenceByImplementation;
  /** What each author says about its implementation. */
  readonly claims?: Readonly<Record<string, string>>;
  /** How much each implementation changes. */
  readonly sizes?: Readonly<Record<string, ChangeSize>>;
  /** A person's answer, when one was asked. */
  readonly asked?: unknown;
  /** The synthesiser's reply, if one was asked; `{failed}` if it gave none. */
  readonly synthesis?: unknown;
  /** Why what a synthesis put together was tried and did not do; empty while it was not. */
  readonly unmixed?: string;
}

/** All that a decision is made from. */
export interface Deciding {
  readonly ledger: Ledger;
  readonly result: Convergence;
  /** Best first: by tests where the author said so, else by the reviewers' rankings. */
  readonly ranking: readonly Ranked[];
  readonly by: DecideBy;
}
