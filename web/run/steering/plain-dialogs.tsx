import { useState, type ReactNode } from 'react';
import type { Snapshot } from '../../../src/core/snapshot.ts';
import type { Action } from '../../../src/protocol/web/action.ts';
import { useTree } from '../../model/use-run.ts';
import { ActDialog } from './act-dialog.tsx';
import { LabelledField } from './labelled-field.tsx';
import type { SteeringDialogProps } from './steering-dialog.tsx';
import { useSteering } from './use-steering.ts';

/** A dialog that only asks whether, and perhaps why. */
interface PlainDialog {
  readonly kind: 'pause' | 'cancel' | 'discard' | 'archive';
  readonly title: string;
  readonly verb: string;
  readonly says: string;
  readonly done: string;
  readonly isDanger?: true;
  /** Whether a reason is asked for. */
  readonly hasReason?: true;
  /** It takes an earlier decision back. */
  readonly isUndone?: true;
}

const PAUSE: PlainDialog = {
  kind: 'pause',
  title: 'Pause the run',
  verb: 'Pause',
  says: 'What is under way comes to its end, and nothing new starts. Time that it stands still counts for no limit.',
  done: 'It is paused. Nothing new starts until somebody resumes it.',
  hasReason: true,
};

const CANCEL: PlainDialog = {
  kind: 'cancel',
  title: 'Cancel the run',
  verb: 'Cancel the run',
  says: 'The run and all runs below it end for good. Files and conversations are kept; it can still be forked.',
  done: 'It is cancelled. What it had made is kept, and it can be forked from any of its steps.',
  isDanger: true,
  hasReason: true,
};

const DISCARD: PlainDialog = {
  kind: 'discard',
  title: 'Discard the result',
  verb: 'Discard',
  says: 'The journal records that the result is not wanted, and the branch or the patch that Troupe made of it is removed. Its files are kept until they are pruned, so this can be undone.',
  done: 'The result is discarded.',
  isDanger: true,
};

const KEEP: PlainDialog = {
  kind: 'discard',
  title: 'Keep the result after all',
  verb: 'Keep it',
  says: 'This undoes the discard: the result can be delivered again.',
  done: 'Discard undone: the result can be delivered again.',
  isUndone: true,
};

const ARCHIVE: PlainDialog = {
  kind: 'archive',
  title: 'Archive the run',
  verb: 'Archive',
  says: 'The board and lists leave the run out. Nothing of it is removed.',
  done: 'It is archived. Its page can still be opened, and takes it out of the archive again.',
};

const UNARCHIVE: PlainDialog = {
  kind: 'archive',
  title: 'Take the run out of the archive',
  verb: 'Take it out',
  says: 'The board and lists show the run again.',
  done: 'The board and lists show it again.',
  isUndone: true,
};

function Plain({ about, reason }: SteeringDialogProps & { readonly about: PlainDialog }): ReactNode {
  const run = useTree((tree) => tree.root);
  const [why, setWhy] = useState('');
  const steering = useSteering();
  const { kind, title, verb, says, done, isDanger = false, hasReason, isUndone } = about;
  const action = {
    kind,
    run,
    ...(why.trim() === '' ? {} : { reason: why.trim() }),
    ...(isUndone === true ? { isUndone } : {}),
  } as Action;
  const isDone = steering.state.kind === 'done';
  return (
    <ActDialog
      title={title}
      verb={verb}
      isDanger={isDanger}
      action={action}
      // Once it is done there is a reason not to do it.
      reason={isDone ? null : reason}
      steering={steering}
      outcome={isDone ? <p>{done}</p> : null}
    >
      <p>{says}</p>
      {hasReason === true && (
        <LabelledField
          label="Reason"
          says="Is written into the journal; may be left empty."
          value={why}
          onChange={setWhy}
        />
      )}
    </ActDialog>
  );
}

export const PauseDialog = (props: SteeringDialogProps): ReactNode => <Plain about={PAUSE} {...props} />;
export const CancelDialog = (props: SteeringDialogProps): ReactNode => <Plain about={CANCEL} {...props} />;
export const DiscardDialog = (props: SteeringDialogProps): ReactNode => (
  <Decision {...props} choices={[DISCARD, KEEP]} isTaken={({ discardedBy }) => discardedBy !== null} />
);
export const ArchiveDialog = (props: SteeringDialogProps): ReactNode => (
  <Decision {...props} choices={[ARCHIVE, UNARCHIVE]} isTaken={({ archivedBy }) => archivedBy !== null} />
);

interface DecisionProps extends SteeringDialogProps {
  /** To decide, and to take the decision back. */
  readonly choices: readonly [PlainDialog, PlainDialog];
  readonly isTaken: (snapshot: Snapshot) => boolean;
}

/** What it was opened for stays, also once the journal has the decision. */
function Decision({ choices: [decide, undo], isTaken, ...props }: DecisionProps): ReactNode {
  const isDecided = useTree((tree) => {
    const snapshot = tree.runs.get(tree.root)?.snapshot;
    return snapshot !== undefined && isTaken(snapshot);
  });
  const [about] = useState(isDecided ? undo : decide);
  return <Plain about={about} {...props} />;
}
