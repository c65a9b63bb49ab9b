import type { JournalRecord } from '../../src/core/fact.ts';
import type { RecordLine } from '../../src/protocol/web/record-page.ts';
import type { RunState } from './run-tree.ts';

/** A fold of one run's records that goes on where it stood. */
export interface Folding<View> {
  /** `all`: every record up to this one. */
  take(record: JournalRecord, all: () => readonly JournalRecord[]): void;
  /** The same object as long as nothing in it has changed. */
  readonly view: View;
}

/** Each record is folded once however often the page looks: the lines of a run are one array that grows. */
export function incrementalFold<View>(begin: (run: string) => Folding<View>): (run: RunState) => View {
  const known = new WeakMap<readonly RecordLine[], { readonly folding: Folding<View>; count: number }>();
  return ({ run, lines, count }) => {
    let at = known.get(lines);
    // Whoever still looks at an older version than was folded begins anew.
    if (at === undefined || at.count > count) known.set(lines, (at = { folding: begin(run), count: 0 }));
    const { folding } = at;
    for (const { record } of lines.slice(at.count, count)) {
      folding.take(record, () => lines.slice(0, record.seq).map((line) => line.record));
    }
    at.count = count;
    return folding.view;
  };
}
