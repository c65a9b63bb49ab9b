import type { Json } from '../../../src/core/json.ts';
import type { FindingView } from '../../../src/protocol/review/debate-view.ts';
import type { Entry, SaidEntry } from '../../model/transcript-entry.ts';

/** The answers of agents that speak of a finding: by its id, or by its words where it had no id yet. */
export function speaksOf(
  entries: readonly Entry[],
  { id, claim, earlier }: Pick<FindingView, 'id' | 'claim' | 'earlier'>,
): readonly SaidEntry[] {
  const name = new RegExp(`\\b${id}\\b`);
  const words = [claim, ...earlier.map((wording) => wording.claim)].filter((text) => text !== '');
  return entries.filter((entry): entry is SaidEntry => {
    if (entry.kind !== 'said' || entry.message.role !== 'assistant' || entry.standing === 'undone') return false;
    const texts = [entry.message.content, ...entry.uses.flatMap(({ given }) => textsIn(given))];
    return texts.some((text) => name.test(text) || words.includes(text));
  });
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((one) => textsIn(one as Json)) : [];
}
