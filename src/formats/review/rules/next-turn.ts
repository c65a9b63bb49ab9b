import { ENGINE } from './finding.ts';
import { liveImplementations, type Ledger } from './ledger.ts';
import { nextSpeaker } from './next-speaker.ts';
import { stateOf } from './open-findings.ts';
import { positionText } from './position-text.ts';
import { reviewerSight } from './reviewer-reading.ts';

export interface DebateTurn {
  readonly speaker: string;
  readonly say: string;
  /** It has not seen the revision yet: it gets the pack before these words. */
  readonly isNew: boolean;
}

/** The next speaker and its prompt; null if no reviewer speaks. */
export function nextTurn(ledger: Ledger): DebateTurn | null {
  const speaker = nextSpeaker(ledger);
  if (speaker === null) return null;
  const { debate, positions } = ledger;
  const isNew = debate > 1 && !positions.some((one) => one.reviewer === speaker && one.debate === debate);
  const before = isNew ? [untouchedText(ledger)] : [];
  const say = [...before, positionText(reviewerSight(ledger, speaker))].filter((part) => part !== '').join('\n\n');
  return { speaker, say, isNew };
}

/** A revision that touches nothing that was named is called out. */
function untouchedText(ledger: Ledger): string {
  const lines = liveImplementations(ledger).flatMap((id) => {
    const named = ledger.findings.filter(
      (finding) =>
        finding.implementation === id &&
        finding.by !== ENGINE &&
        finding.isTouched !== null &&
        ['open', 'standing'].includes(stateOf(ledger, finding)),
    );
    const isIdle = named.length > 0 && named.every(({ isTouched }) => isTouched === false);
    return isIdle ? [`The revision of ${id} changed nothing that the findings name.`] : [];
  });
  return lines.join('\n');
}
