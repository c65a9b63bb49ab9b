import type { ReactNode } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { overlays } from '../shell/overlays.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { FirstWorkflows } from './first-workflows.tsx';

interface Props {
  readonly failure: unknown;
  readonly isSearched: boolean;
  readonly onClear: () => void;
}

/** Why the board is empty. */
export function NothingYet({ failure, isSearched, onClear }: Props): ReactNode {
  if (failure !== null) {
    const { message, hint = '' } = failure instanceof ApiProblem ? failure : { message: 'The page has a fault.' };
    return <Empty title="The runs could not be read" why={`${message} ${hint}`} />;
  }
  if (isSearched)
    return (
      <Empty
        title="No run fits"
        why="No run has all these words in its title, workflow, id or project."
        action={<Button onClick={onClear}>Show all runs</Button>}
      />
    );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Empty
        title="No runs yet"
        why={
          <>
            A run is agents at work on this project, step by step as a workflow says. Choose one to see its form, or
            start it in a terminal with <code className="rounded-sm bg-sunken px-1 text-text">troupe run</code>. What it
            does, asks and changes shows here as it happens; none of your files is changed until you take its result.
          </>
        }
        action={
          <Button kind="primary" onClick={() => overlays.start()}>
            Start a run
          </Button>
        }
      />
      <FirstWorkflows />
    </div>
  );
}
