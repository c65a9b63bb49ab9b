import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { workflowsQuery } from '../api/queries.ts';
import { overlays, useOverlay } from '../shell/overlays.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { StartForm } from './start-form.tsx';

/** Starts a run: which workflow, and what it wants to know. */
export function StartDialog(): ReactNode {
  const overlay = useOverlay();
  if (overlay?.kind !== 'start') return null;
  return <Choosing key={overlay.workflow ?? ''} wanted={overlay.workflow} />;
}

function Choosing({ wanted }: { readonly wanted: string | null }): ReactNode {
  const { data: workflows = null, error } = useQuery(workflowsQuery);
  const [chosen, setChosen] = useState(wanted);
  const workflow = workflows?.find(({ name }) => chosen === null || name === chosen);
  if (workflows !== null && workflow !== undefined)
    return <StartForm key={workflow.name} workflows={workflows} workflow={workflow} onChoose={setChosen} />;
  return (
    <Dialog title="Start a run" open onClose={() => overlays.close()}>
      {error !== null && <Empty title="The workflows could not be read" why={error.message} />}
      {error === null && workflows === null && <p className="text-muted">Reading the workflows …</p>}
      {workflows !== null && <Empty title="No workflow to start" why={unknownWords(chosen)} />}
    </Dialog>
  );
}

const unknownWords = (name: string | null): string =>
  name === null
    ? 'This project has no workflow yet. "troupe init" writes one to begin with.'
    : `There is no workflow called ${name} in this project.`;
