import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/api-problem.ts';
import { useTree } from '../../model/use-run.ts';
import { Empty } from '../../ui/empty.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import type { WorkspaceChoice } from './workspace-choices.ts';

/** A run that has no files at all, or has not touched them yet. */
export function NoFiles(): ReactNode {
  const files = useTree((tree) => tree.runs.get(tree.root)?.snapshot.files ?? null);
  const isOver = useTree((tree) => tree.runs.get(tree.root)?.snapshot.result !== null);
  if (files === null)
    return <Empty title="This run has no files" why="None of its agents has a tool that reads or changes any." />;
  return (
    <Empty
      title="No changes"
      why={
        isOver
          ? 'The run is over, and no agent of it ever worked in its files.'
          : 'No agent has worked in the files yet. They are copied for it when it first uses a tool.'
      }
    />
  );
}

export function NoDifference({
  chosen,
  words,
}: {
  readonly chosen: WorkspaceChoice;
  readonly words: string;
}): ReactNode {
  const others = chosen.isChanged ? ' There are changes against another base: choose it above.' : '';
  return <Empty title="No changes" why={`No file of ${visibleText(chosen.label)} is different ${words}.${others}`} />;
}

export function CannotCompare({ error }: { readonly error: Error }): ReactNode {
  const hint = error instanceof ApiProblem ? error.hint : undefined;
  return (
    <Empty
      title="The changes cannot be shown"
      why={
        <>
          <p>{visibleText(error.message)}</p>
          {hint !== undefined && <p>{visibleText(hint)}</p>}
        </>
      }
    />
  );
}
