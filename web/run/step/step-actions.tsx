import { GitFork } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Visit } from '../../../src/protocol/history/visits.ts';
import { forkPointOf } from '../../model/fork-points.ts';
import type { RunNode } from '../../model/run-tree.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { Button } from '../../ui/controls.tsx';
import { RetryButton } from './retry-button.tsx';

interface Props {
  readonly run: RunNode;
  readonly visit: Visit;
  readonly root: string;
}

/** A step that did not come out well is done again with one click; any step can be forked. */
export function StepActions({ run, visit, root }: Props): ReactNode {
  const [, select] = useSelection();
  const at = useTree((tree) => forkPointOf(tree, { run: run.run, state: visit.state, visit: visit.visit })?.at ?? null);
  const isFailed = visit.outcome !== null && visit.outcome !== 'ok' && visit.outcome !== 'partial';
  const fork = (): void =>
    select({ run: run.run === root ? undefined : run.run, state: visit.state, visit: visit.visit, dialog: 'fork' });
  if (at === null || visit.isUndone) return null;
  return (
    <span className="ml-auto flex flex-wrap gap-1.5">
      {isFailed && <RetryButton action={{ kind: 'fork', run: root, at }} />}
      <Button onClick={fork}>
        <GitFork size={14} aria-hidden /> Fork from here
      </Button>
    </span>
  );
}
