import { rootRunId, type RunId } from '../../../core/ids.ts';
import type { LiveEvent } from '../../../host/port.ts';
import { countTree } from '../../../protocol/metrics/count-tree.ts';
import { runsBelow, TreeReader, type TreeJournal } from '../../runs/tree-reader.ts';
import { appendFigures } from './kept-figures.ts';

export interface FigurePlace {
  readonly home: string;
  readonly journal: TreeJournal;
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
    const runs = await runsBelow(journal, root);
    const records = runs.reduce((sum, { seq }) => sum + seq, 0);
    const isNew = runs.some(({ updatedAt }) => updatedAt >= since);
    if (runs[0]?.status !== 'settled' || !isNew || records > MOST_RECORDS) return;
    const read = await new TreeReader(journal, root).readOn();
    const figures = countTree(root, read, { isDriven: false, now: Date.now() });
    appendFigures(place, { runs, figures });
  } catch {
    // Counted by the next `troupe metrics`.
  }
}
