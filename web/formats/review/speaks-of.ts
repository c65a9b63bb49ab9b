import { isJsonObject, type Json } from '../../../src/core/model/json.ts';
import type { FindingView } from '../../../src/formats/review/views/debate-view.ts';
import type { Entry, SaidEntry } from '../../model/transcript-entry.ts';

/** The answers of agents that speak of a finding: by its id, or by its words where it had no id yet. */
export function speaksOf(
  entries: readonly Entry[],
  { id, claim, earlier }: Pick<FindingView, 'id' | 'claim' | 'earlier'>,
): readonly SaidEntry[] {
  const name = new RegExp(`\\b${id}\\b`);
  const words = new Set([claim, ...earlier.map((wording) => wording.claim)].filter((text) => text !== ''));
  return entries.filter((entry): entry is SaidEntry => {
    if (entry.kind !== 'said' || entry.message.role !== 'assistant' || entry.standing === 'undone') return false;
    const texts = [entry.message.content, ...entry.uses.flatMap(({ given }) => textsIn(given))];
    return texts.some((text) => name.test(text) || words.has(text));
  });
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((one) => textsIn(one)) : [];
}

/** The stance on a finding in a structured reply, with its reason. */
export function saidOf({ uses }: Pick<SaidEntry, 'uses'>, { id }: Pick<FindingView, 'id'>): readonly string[] {
  return uses.flatMap(({ given }) => {
    const stances = isJsonObject(given) ? given['stances'] : undefined;
    if (!Array.isArray(stances)) return [];
    return (stances as readonly Json[]).flatMap((one) => {
      if (!isJsonObject(one) || one['finding'] !== id) return [];
      const { stance, reason } = one;
      return [[stance, reason].flatMap((text) => (typeof text === 'string' && text !== '' ? [text] : [])).join(': ')];
    });
  });
}
