import type { RunCard } from '../../src/protocol/web/run-card.ts';

/** What the board is narrowed to; it stands in the address. */
export interface BoardSearch {
  readonly q?: string;
  readonly workflow?: string;
  readonly project?: string;
}

export function parseBoardSearch(search: Readonly<Record<string, unknown>>): BoardSearch {
  const kept = (['q', 'workflow', 'project'] as const).flatMap((key) => {
    const value = search[key];
    const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
    return text === '' ? [] : [[key, text] as const];
  });
  return Object.fromEntries(kept);
}

/** As the server finds them: every word stands in what the list shows of a run. */
export function isWanted(card: RunCard, { q = '', workflow, project }: BoardSearch): boolean {
  if (workflow !== undefined && card.workflow !== workflow) return false;
  if (project !== undefined && card.project !== project) return false;
  const text = [card.title, card.workflow, card.run, card.project].join('\n').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
