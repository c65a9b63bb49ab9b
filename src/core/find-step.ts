import type { JournalRecord } from './fact.ts';

/**
 * The record a person means by a step: its number, `start`, `end`, or a state, meaning its last entry; `state#2` is the
 * second one. The step is the record at which the state has been entered and nothing of it has happened yet.
 */
export function findStep(records: readonly JournalRecord[], text: string): FoundStep {
  const last = records.at(-1)?.seq ?? 0;
  if (text === 'start') return { ok: true, seq: Math.min(1, last) };
  if (text === 'end' || text === 'last') return { ok: true, seq: last };
  if (/^\d+$/.test(text)) return byNumber(Number(text), last);
  return byState(records, text);
}

export type FoundStep =
  | { readonly ok: true; readonly seq: number }
  | { readonly ok: false; readonly message: string; readonly hint: string };

function byNumber(seq: number, last: number): FoundStep {
  if (seq >= 1 && seq <= last) return { ok: true, seq };
  return { ok: false, message: `There is no record ${seq}: the run has records 1 to ${last}.`, hint: HINT };
}

const HINT = 'Name a record (see `troupe logs --json`), a state, a state with its visit such as coder#2, start or end.';

function byState(records: readonly JournalRecord[], text: string): FoundStep {
  const cut = text.lastIndexOf('#');
  const visit = cut > 0 && /^\d+$/.test(text.slice(cut + 1)) ? Number(text.slice(cut + 1)) : null;
  // A state may have such a name itself.
  const found = entry(records, text, null) ?? (visit === null ? undefined : entry(records, text.slice(0, cut), visit));
  if (found !== undefined) return { ok: true, seq: found.seq };
  const names = new Set(records.flatMap(({ fact }) => (fact.kind === 'state.entered' ? [fact.state] : [])));
  const known = [...names].slice(0, 12).join(', ');
  return { ok: false, message: `The run never was at "${text}".`, hint: `It was at: ${known}. ${HINT}` };
}

function entry(records: readonly JournalRecord[], state: string, visit: number | null): JournalRecord | undefined {
  return records.findLast(
    ({ fact }) => fact.kind === 'state.entered' && fact.state === state && (visit === null || fact.visit === visit),
  );
}
