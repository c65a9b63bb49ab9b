import { FileDiff, GitFork, GitMerge, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { problemCount } from '../model/run-history.ts';
import type { ShownRunResult } from '../model/run-result.ts';
import { useSelection } from '../model/selection.ts';
import { steeredOf } from '../model/steering-reasons.ts';
import { useTree } from '../model/use-run.ts';
import { Button } from '../ui/button.tsx';
import { isGoodOutcome, isRefused } from './outcome-words.ts';

/** What one does next with a run that is over. */
export function OutcomeActions({ result }: { readonly result: ShownRunResult }): ReactNode {
  const [, select] = useSelection();
  const hasChanges = useTree((tree) => steeredOf(tree)?.hasChanges === true);
  const hasProblems = useTree((tree) => problemCount(tree) > 0);
  const { step } = result;
  const isWell = isGoodOutcome(result);
  const isOpen = isRefused(result);
  const hasTrouble = !isWell || isOpen;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {!isWell && step !== null && (
        <Button
          kind="primary"
          onClick={() => select({ run: undefined, state: step.state, visit: step.visit, dialog: 'fork' })}
        >
          <GitFork size={14} aria-hidden /> Fork from this step
        </Button>
      )}
      {hasTrouble && hasProblems && (
        <Button onClick={() => select({ tab: 'problems' })}>
          <TriangleAlert size={14} aria-hidden /> What went wrong
        </Button>
      )}
      {hasChanges && (
        <Button onClick={() => select({ tab: 'changes' })}>
          <FileDiff size={14} aria-hidden /> See the changes
        </Button>
      )}
      {hasChanges && canTake(result) && (
        <Button kind={isOpen ? 'plain' : 'primary'} onClick={() => select({ dialog: 'deliver' })}>
          <GitMerge size={14} aria-hidden /> Take the changes
        </Button>
      )}
    </span>
  );
}

const canTake = (result: ShownRunResult): boolean =>
  isGoodOutcome(result) && (result.state.state === 'waiting' || result.state.state === 'refused');
