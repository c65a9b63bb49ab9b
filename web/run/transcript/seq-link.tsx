import type { ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import type { Entry } from '../../model/transcript-entry.ts';
import { useTree } from '../../model/use-run.ts';
import { formatClock } from '../../ui/format.ts';

/** When it was, by the clock; choosing it puts it into the address, so that a link leads here. */
export function SeqLink({ entry: { run, seq, at } }: { readonly entry: Pick<Entry, 'run' | 'seq' | 'at'> }): ReactNode {
  const [, select] = useSelection();
  const root = useTree((tree) => tree.root);
  const moment = new Date(at);
  return (
    <button
      type="button"
      title={`Record ${seq}, ${moment.toLocaleString()}. Choose it to link to it.`}
      aria-label={`Record ${seq}, ${formatClock(at)}`}
      onClick={() => select({ seq, run: run === root ? undefined : run })}
      className="num rounded-sm px-0.5 text-xs text-muted hover:text-accent hover:underline"
    >
      <time dateTime={moment.toISOString()}>{formatClock(at)}</time>
    </button>
  );
}
