import type { z } from 'zod';
import type { RunId } from '../../core/model/ids.ts';
import { hasStatus, isListed, pageOf } from '../../app/views/listed-runs.ts';
import type { PROJECT } from '../../protocol/operations/project.ts';
import type { Column, RunCard, RunPage } from '../../protocol/web/run-card.ts';
import type { CardDesk } from './card-desk.ts';
import type { RunIndex } from './run-index.ts';

/** The same as for every list, without a project for the runs of all. */
export type RunQuery = z.output<typeof PROJECT.list.request>;

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
  const { project, limit } = query;
  const ofProject = index.roots().filter((info) => project === undefined || info.project === project);
  const roots = ofProject.filter((info) => isListed(info, { ...query, project: null }));
  // The details of this page are wanted before any others.
  const { page: first, from } = pageOf(roots, query.after, limit);
  const top = first.map(({ run }) => run);
  await cards.read(top, patienceFor(index, top));
  await Promise.all([cards.checkBranches(), cards.checkWorkers()]);
  const counts: Record<Column, number> = { running: 0, 'needs-you': 0, ready: 0, failed: 0, done: 0 };
  const found: RunId[] = [];
  for (const [position, { run }] of roots.entries()) {
    const card = cards.card(run);
    if (card === null) continue;
    counts[card.column] += 1;
    const isOnPage = position >= from && found.length <= limit;
    if (isOnPage && isWanted(card, query)) found.push(run);
  }
  const page = found.slice(0, limit);
  if (page.some((run) => !top.includes(run))) await cards.read(page, patienceFor(index, page));
  return {
    cards: page.map((run) => cards.card(run)).filter((card) => card !== null),
    counts,
    next: found.length > limit ? (page.at(-1) ?? null) : null,
  };
}

const isWanted = (card: RunCard, { column, status }: RunQuery): boolean =>
  (column === undefined || column === card.column) && hasStatus(card, status);

function patienceFor(index: RunIndex, roots: readonly RunId[]): number {
  const records = roots.flatMap((root) => index.tree(root)).reduce((sum, { seq }) => sum + seq, 0);
  return records <= LITTLE_RECORDS ? PATIENCE_MS : 0;
}
