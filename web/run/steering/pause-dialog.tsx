import { useState, type ReactNode } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { useTree } from '../../model/use-run.ts';
import { ActDialog } from './act-dialog.tsx';
import { LabelledField } from './labelled-field.tsx';
import type { SteeringDialogProps } from './steering-dialog.tsx';
import { useSteering } from './use-steering.ts';

export function PauseDialog({ reason }: SteeringDialogProps): ReactNode {
  const run = useTree((tree) => tree.root);
  const [why, setWhy] = useState('');
  const steering = useSteering();
  const action: Action = { kind: 'pause', run, ...(why.trim() === '' ? {} : { reason: why.trim() }) };
  const isDone = steering.state.kind === 'done';
  return (
    <ActDialog
      title="Pause the run"
      verb="Pause"
      action={action}
      // Once it is paused there is a reason not to pause it.
      reason={isDone ? null : reason}
      steering={steering}
      outcome={isDone ? <p>It is paused. Nothing new starts until somebody resumes it.</p> : null}
    >
      <p>What is under way comes to its end, and nothing new starts. Time that it stands still counts for no limit.</p>
      <LabelledField
        label="Reason"
        says="Is written into the journal; may be left empty."
        value={why}
        onChange={setWhy}
      />
    </ActDialog>
  );
}
