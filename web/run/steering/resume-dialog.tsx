import { type ReactNode, useState } from 'react';
import type { DefinitionView } from '../../../src/protocol/definition-view.ts';
import type { Action } from '../../../src/protocol/web/action.ts';
import { useRunStore, useTree } from '../../model/use-run.ts';
import { visibleText } from '../../ui/text.tsx';
import { ActDialog, ChoiceGroup, useSteering } from './act-dialog.tsx';
import { useDeliveryWish } from './delivery-wish.tsx';
import { LabelledField } from '../../ui/controls.tsx';
import { type LimitField, limitFields, raisedLimits } from './raised-limits.ts';
import type { SteeringDialogProps } from './dialog-props.ts';
import { useRunView } from '../use-run-card.ts';
import type { Snapshot } from '../../../src/core/fold/snapshot.ts';

/** Continues from the journal: past a limit that was raised, and with the definition that was chosen. */
export function ResumeDialog({ reason }: SteeringDialogProps): ReactNode {
  const run = useTree((tree) => tree.root);
  const store = useRunStore();
  const [fields] = useState(() => limitFields(store.get()));
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [definition, setDefinition] = useState<'started' | 'new'>('started');
  const steering = useSteering();
  const view = useRunView()?.definition;
  const hasChoice = view !== undefined && view.state !== 'same';
  const { limits, problem } = raisedLimits(fields, typed);
  const delivery = useDeliveryWish();
  const action: Action = {
    kind: 'resume',
    run,
    ...(hasChoice ? { definition } : {}),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...delivery.wish,
  };
  const isDone = steering.state.kind === 'done';
  return (
    <ActDialog
      title="Resume the run"
      verb="Resume"
      action={action}
      reason={isDone ? null : (reason ?? problem)}
      steering={steering}
      outcome={isDone ? <p>It goes on.</p> : null}
    >
      <HeldWords />
      {hasChoice && <Definition view={view} value={definition} onChange={setDefinition} />}
      <LimitInputs fields={fields} typed={typed} onType={(flag, text) => setTyped({ ...typed, [flag]: text })} />
      {delivery.fields}
    </ActDialog>
  );
}

/** Who paused it, and why. */
function HeldWords(): ReactNode {
  const held = useTree((tree) => tree.runs.get(tree.root)?.snapshot.held ?? null);
  if (held === null) return null;
  return (
    <p>
      {visibleText(held.by)} paused it: {visibleText(held.reason)}
      {held.failure !== undefined && <span className="block text-bad">{visibleText(held.failure.message)}</span>}
    </p>
  );
}

interface DefinitionProps {
  readonly view: DefinitionView;
  readonly value: 'started' | 'new';
  readonly onChange: (value: 'started' | 'new') => void;
}

const NO_NEW: Readonly<Record<string, string>> = {
  gone: 'The file is gone, so it continues as it began.',
  broken: 'The file has errors now, so it continues as it began.',
};

function Definition({ view, value, onChange }: DefinitionProps): ReactNode {
  const without = NO_NEW[view.state];
  if (without !== undefined) return <p className="text-sm text-muted">{without}</p>;
  return (
    <>
      <ChoiceGroup
        label="Its files have changed since it began"
        value={value}
        onChange={onChange}
        choices={[
          { value: 'started', label: 'Continue as it began', says: 'The present files are ignored.' },
          { value: 'new', label: 'Continue with the new definition' },
        ]}
      />
      {view.changes !== undefined && (
        <ul className="max-h-32 list-disc overflow-y-auto pl-5 text-sm wrap-anywhere text-muted">
          {view.changes.map((change) => (
            <li key={change}>{visibleText(change)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

interface LimitInputsProps {
  readonly fields: readonly LimitField[];
  readonly typed: Readonly<Record<string, string>>;
  readonly onType: (flag: string, text: string) => void;
}

/** Those that were met are to be raised; the others may be. */
function LimitInputs({ fields, typed, onType }: LimitInputsProps): ReactNode {
  const input = ({ flag, label, present, isMet }: LimitField): ReactNode => (
    <LabelledField
      key={flag}
      label={label}
      placeholder={present === null ? 'no limit' : `more than ${present}`}
      says={isMet ? 'The run met this limit and waits.' : undefined}
      value={typed[flag] ?? ''}
      onChange={(text) => onType(flag, text)}
    />
  );
  const others = fields.filter(({ isMet, present }) => !isMet && present !== null);
  return (
    <>
      {fields.filter(({ isMet }) => isMet).map(input)}
      <details>
        <summary className="cursor-pointer text-muted">
          Raise {others.length === fields.length ? '' : 'other '}limits
        </summary>
        <div className="flex flex-col gap-3 pt-2">{others.map(input)}</div>
      </details>
    </>
  );
}

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
  says: 'Work in progress finishes, and nothing new starts. Paused time does not count towards a limit.',
  done: 'It is paused. Nothing new starts until it is resumed.',
  hasReason: true,
};

const CANCEL: PlainDialog = {
  kind: 'cancel',
  title: 'Cancel the run',
  verb: 'Cancel the run',
  says: 'The run and all runs below it are cancelled. Files and conversations are kept; it can still be forked.',
  done: 'It is cancelled. Its work is kept, and it can be forked from any of its steps.',
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

/** Keeps the decision it was opened for, also once the journal has it. */
function Decision({ choices: [decide, undo], isTaken, ...props }: DecisionProps): ReactNode {
  const isDecided = useTree((tree) => {
    const snapshot = tree.runs.get(tree.root)?.snapshot;
    return snapshot !== undefined && isTaken(snapshot);
  });
  const [about] = useState(isDecided ? undo : decide);
  return <Plain about={about} {...props} />;
}
