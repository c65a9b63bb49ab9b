import type { Outcome } from '../../src/core/outcome.ts';
import { resultText, type ResultState } from '../../src/core/result-state.ts';
import { statusText, statusWord } from '../../src/protocol/status-word.ts';
import type { RunCard } from '../../src/protocol/web/run-card.ts';

interface Settled {
  readonly outcome: Outcome;
  readonly result: ResultState;
  /** Null: it is not known yet. */
  readonly isDriven: boolean | null;
}

/** The mark of a run that is over: a good outcome counts only once its result could be handed over. */
export function settledMark({ outcome, result, isDriven }: Settled): string {
  if (outcome !== 'ok' && outcome !== 'partial') return outcome;
  if (result.isUnverified === true) return 'not verified';
  const isCutOff = isDriven === false && (result.kind === 'undelivered' || result.kind === 'half-applied');
  return isCutOff || result.state === 'refused' ? resultText(result) : outcome;
}

/** How a run stands in a list: as `troupe list` says it. */
export const cardWord = (card: RunCard): string => (card.status === 'settled' ? statusText(card) : card.status);

export function cardMark(card: RunCard): string {
  const { outcome, result, driven } = card;
  return outcome === null ? statusWord(card) : settledMark({ outcome, result, isDriven: driven });
}
