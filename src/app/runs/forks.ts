import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';

/** The runs that were forked from this one, oldest first. Nothing in the run itself names them. */
export async function forksOf(journal: Pick<Journal, 'runs'>, run: RunId): Promise<readonly RunId[]> {
  return (await journal.runs({ forkedFrom: run })).map((fork) => fork.run).toReversed();
}
