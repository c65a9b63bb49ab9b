import type { ReactNode } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { overlays } from '../shell/overlays.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';

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
    <Empty
      title="No runs yet"
      why={
        <>
          Runs appear here as soon as one is started: with the button below, or in a terminal with{' '}
          <code className="rounded-sm bg-sunken px-1 text-text">troupe run</code>.
        </>
      }
      action={
        <Button kind="primary" onClick={() => overlays.start()}>
          Start a run
        </Button>
      }
    />
  );
}
