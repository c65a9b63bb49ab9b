import { useState, type ReactNode } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { useTree } from '../../model/use-run.ts';
import { ActDialog } from './act-dialog.tsx';
import { LabelledField } from './labelled-field.tsx';
import type { SteeringDialogProps } from './steering-dialog.tsx';
import { useSteering } from './use-steering.ts';

export function CancelDialog({ reason }: SteeringDialogProps): ReactNode {
  const run = useTree((tree) => tree.root);
  const [why, setWhy] = useState('');
  const steering = useSteering();
  const action: Action = { kind: 'cancel', run, ...(why.trim() === '' ? {} : { reason: why.trim() }) };
  const isDone = steering.state.kind === 'done';
  return (
    <ActDialog
      title="Cancel the run"
      verb="Cancel the run"
      isDanger
      action={action}
      reason={isDone ? null : reason}
      steering={steering}
      outcome={
        isDone ? <p>It is cancelled. What it had made is kept, and it can be forked from any of its steps.</p> : null
      }
    >
      <p>The run and all runs below it end for good. Files and conversations are kept; it can still be forked.</p>
      <LabelledField
        label="Reason"
        says="Is written into the journal; may be left empty."
        value={why}
        onChange={setWhy}
      />
    </ActDialog>
  );
}
