import type { JsonObject } from '../../../core/model/json.ts';
import { ENGINE } from '../rules/finding.ts';
import { liveImplementations, type Ledger } from '../rules/ledger.ts';
import { nextSpeaker } from '../rules/next-speaker.ts';
import { stateOf } from '../rules/open-findings.ts';
import { positionText } from '../rules/position-text.ts';
import { reviewerSight } from '../rules/view-for.ts';
import type { PackGiven } from './review-input.ts';

/**
 * Who speaks next and its order; null when no reviewer does. A reviewer that has not seen the revision yet (`isNew`) gets it first:
 * before this order, or in it where the pack was passed along.
 */
export function nextTurn(ledger: Ledger, pack: PackGiven): JsonObject | null {
  const speaker = nextSpeaker(ledger);
  if (speaker === null) return null;
  const { debate, positions } = ledger;
  const isNew = debate > 1 && !positions.some((one) => one.reviewer === speaker && one.debate === debate);
  const before = isNew ? [pack.text ?? '', untouchedText(ledger)] : [];
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
