import { Ban, CirclePlay } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSelection } from '../model/selection.ts';
import { useTree } from '../model/use-run.ts';
import { Button } from '../ui/button.tsx';
import { HALTED_WORDS, runStatusText } from './run-words.ts';

/** On top of a run whose process is gone: what happened, and the way on. */
export function RunHalted(): ReactNode {
  const isStopped = useTree((tree) => runStatusText(tree) === 'stopped');
  const [, select] = useSelection();
  if (!isStopped) return null;
  return (
    <section
      aria-label="Stopped"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn-soft px-4 py-1.5"
    >
      <p role="status" className="min-w-0 flex-1 basis-80">
        <Ban size={14} aria-hidden className="mr-1.5 inline-flex align-[-2px] text-warn" />
        <strong className="font-semibold">Stopped.</strong> {HALTED_WORDS}
      </p>
      <Button kind="primary" onClick={() => select({ dialog: 'resume' })}>
        <CirclePlay size={14} aria-hidden /> Resume
      </Button>
    </section>
  );
}
