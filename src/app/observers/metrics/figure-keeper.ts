import { rootRunId, type RunId } from '../../../core/ids.ts';
import type { LiveEvent } from '../../../host/port.ts';
import type { RunInfo } from '../../../journal/port.ts';
import { countTree } from '../../../protocol/metrics/count-tree.ts';
import { treeRecords, type FeedJournal } from '../logs/run-feed.ts';
import { appendFigures } from './kept-figures.ts';

export interface FigurePlace {
  readonly home: string;
  readonly journal: FeedJournal;
  readonly version: string;
}

/** Counting a longer run would hold up the end of its process; `troupe metrics` counts it. */
const MOST_RECORDS = 5000;

/** Keeps the figures of the runs that ended in this process, so that `troupe metrics` need not read their records. */
export class FigureKeeper {
  readonly #place: FigurePlace;
  readonly #ended = new Set<RunId>();
  readonly #since = Date.now();

  constructor(place: FigurePlace) {
    this.#place = place;
  }

  heard(event: LiveEvent): void {
    if (event.kind === 'record' && event.record.fact.kind === 'run.settled') this.touched(event.run);
  }

  touched(run: RunId): void {
    this.#ended.add(rootRunId(run));
  }

  async close(): Promise<void> {
    for (const root of this.#ended) await keepFigures(this.#place, root, this.#since);
  }
}

/** Where records were written `since`. A run that cannot be read is reported by the commands that read it. */
export async function keepFigures({ journal, ...place }: FigurePlace, root: RunId, since = 0): Promise<void> {
  try {
    const runs = await treeOf(journal, root);
    const records = runs.reduce((sum, { seq }) => sum + seq, 0);
    const isNew = runs.some(({ updatedAt }) => updatedAt >= since);
    if (runs[0]?.status !== 'settled' || !isNew || records > MOST_RECORDS) return;
    const names = runs.map(({ run }) => run);
    const figures = countTree(root, await treeRecords(journal, names), { isDriven: false, now: Date.now() });
    appendFigures(place, { runs, figures });
  } catch {
    // Counted by the next `troupe metrics`.
  }
}

/** The run and those below it, parents first. */
async function treeOf(journal: FeedJournal, root: RunId): Promise<readonly RunInfo[]> {
  const info = await journal.run(root);
  const tree = info === undefined ? [] : [info];
  for (const { run } of tree) tree.push(...(await journal.runs({ parent: run })));
  return tree;
}
