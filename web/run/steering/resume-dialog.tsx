import { useState, type ReactNode } from 'react';
import type { DefinitionView } from '../../../src/protocol/definition-view.ts';
import type { Action } from '../../../src/protocol/web/action.ts';
import { useRunStore, useTree } from '../../model/use-run.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { ActDialog } from './act-dialog.tsx';
import { ChoiceGroup } from './choice-group.tsx';
import { LabelledField } from './labelled-field.tsx';
import { limitFields, raisedLimits, type LimitField } from './raised-limits.ts';
import type { SteeringDialogProps } from './steering-dialog.tsx';
import { useRunView } from './use-run-view.ts';
import { useSteering } from './use-steering.ts';

/** Goes on from the journal: past a limit that was raised, and with the definition that was chosen. */
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
  const action: Action = {
    kind: 'resume',
    run,
    ...(hasChoice ? { definition } : {}),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
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
    </ActDialog>
  );
}

/** Who made it stand still, and why. */
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
  gone: 'The file is gone, so it goes on as it began.',
  broken: 'The file has errors now, so it goes on as it began.',
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
          { value: 'started', label: 'Go on as it began', says: 'What the files say now does not count.' },
          { value: 'new', label: 'Go on with the new definition' },
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
