import type { OpenDelivery } from '../../src/core/delivery.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { RunCard } from '../../src/protocol/web/run-card.ts';

interface Settled {
  readonly outcome: Outcome;
  readonly delivery: OpenDelivery | null;
  /** Null: it is not known yet. */
  readonly isDriven: boolean | null;
}

/** How a run that is over stands: a good outcome counts only once its result could be handed over. */
export function settledWord({ outcome, delivery, isDriven }: Settled): string {
  if ((outcome !== 'ok' && outcome !== 'partial') || delivery === null) return outcome;
  return delivery === 'under-way' && isDriven !== false ? outcome : WORDS[delivery];
}

const WORDS: Readonly<Record<OpenDelivery, string>> = {
  'under-way': 'not delivered',
  failed: 'not delivered',
  unfinished: 'not delivered',
  refused: 'not verified',
  conflict: 'in conflict',
};

/** How a run stands in a list. */
export const cardWord = ({ outcome, status, details, driven }: RunCard): string =>
  outcome === null ? status : settledWord({ outcome, delivery: details?.openDelivery ?? null, isDriven: driven });
