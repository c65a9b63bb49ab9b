import type { ReactNode } from 'react';
import { isAtRest } from '../../../src/core/work-clock.ts';
import { isHalted } from '../../model/halted-at.ts';
import { lastMoment } from '../../model/last-moment.ts';
import { runTimeAt } from '../../model/run-time.ts';
import type { RunNode, RunTree } from '../../model/run-tree.ts';
import { Worked } from '../../ui/duration.tsx';

/** How long a run has taken. A wait or a pause grows, too, though no process drives the run. */
export function RunTime({ tree, run }: { readonly tree: RunTree; readonly run: RunNode }): ReactNode {
  const { clock } = run.snapshot;
  const isOver = clock.endedAt !== null || (isHalted(tree) && !isAtRest(clock));
  return <Worked timeAt={(at) => runTimeAt(tree, run, at)} until={isOver ? lastMoment(tree) : null} />;
}
