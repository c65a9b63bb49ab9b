import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Column, RunPage } from '../../protocol/web/run-card.ts';
import type { CardDesk } from './card-desk.ts';
import type { RunIndex } from './run-index.ts';

export interface RunQuery {
  /** Words that all stand in its title, workflow, id or project. */
  readonly q?: string;
  readonly column?: Column;
  readonly workflow?: string;
  readonly project?: string;
  /** Those that were archived as well. */
  readonly archived?: 'true';
  /** The last run of the page before. */
  readonly cursor?: string;
  readonly limit: number;
}

export interface RunBoard {
  readonly index: RunIndex;
  readonly cards: CardDesk;
}

/** How long an answer waits for what it takes a fold to know, where that is little: most journals are small. */
const PATIENCE_MS = 100;
const LITTLE_RECORDS = 4000;

/**
 * A page of the board, the newest first. The columns are counted over all runs that fit, from the journal's list and git alone.
 */
export async function listRuns({ index, cards }: RunBoard, query: RunQuery): Promise<RunPage> {
  await index.survey();
  const roots = index.roots().filter((info) => isWanted(info, query));
  const first = startOf(roots, query.cursor);
  // The details of this page are wanted before any others.
  const top = roots.slice(first, first + query.limit).map(({ run }) => run);
  await cards.read(top, patienceFor(index, top));
  await cards.checkBranches();
  const counts: Record<Column, number> = { running: 0, 'needs-you': 0, review: 0, done: 0 };
  const found: RunId[] = [];
  for (const [position, { run }] of roots.entries()) {
    const column = cards.column(run);
    if (column === null) continue;
    counts[column] += 1;
    const isOnPage = position >= first && found.length <= query.limit;
    if (isOnPage && (query.column === undefined || query.column === column)) found.push(run);
  }
  const page = found.slice(0, query.limit);
  if (query.column !== undefined) await cards.read(page, patienceFor(index, page));
  return {
    cards: page.map((run) => cards.card(run)).filter((card) => card !== null),
    counts,
    next: found.length > query.limit ? (page.at(-1) ?? null) : null,
  };
}

function patienceFor(index: RunIndex, roots: readonly RunId[]): number {
  const records = roots.flatMap((root) => index.tree(root)).reduce((sum, { seq }) => sum + seq, 0);
  return records <= LITTLE_RECORDS ? PATIENCE_MS : 0;
}

function isWanted(info: RunInfo, { q = '', workflow, project, archived }: RunQuery): boolean {
  if (info.isArchived === true && archived !== 'true') return false;
  if (workflow !== undefined && info.workflow !== workflow) return false;
  if (project !== undefined && info.project !== project) return false;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const text = listedText(info).toLowerCase();
  return words.every((word) => text.includes(word));
}

export const listedText = ({ title, workflow, run, project }: RunInfo): string =>
  [title, workflow, run, project].join('\n');

function startOf(roots: readonly RunInfo[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const position = roots.findIndex(({ run }) => run === cursor);
  if (position >= 0) return position + 1;
  throw new Fault('CURSOR_INVALID', 'The list has changed, or this was never a page of it.', {
    hint: 'Begin again with the first page.',
  });
}
