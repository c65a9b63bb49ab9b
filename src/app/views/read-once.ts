import type { JournalRecord } from '../../core/fact.ts';
import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';

/** The same journal for one look: a run is read once, so that all parts of a view show the same moment. */
export function readOnce(journal: Journal): Journal {
  const known = new Map<RunId, Promise<readonly JournalRecord[]>>();
  const whole = (run: RunId): Promise<readonly JournalRecord[]> => {
    const found = known.get(run) ?? journal.read(run);
    known.set(run, found);
    return found;
  };
  return {
    ...journal,
    read: (run, after = 0, limit) =>
      after === 0 && limit === undefined ? whole(run) : journal.read(run, after, limit),
  };
}
