import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { readForm } from '../../board/read-form.ts';
import { StartField } from '../../board/start-field.tsx';
import { useTree } from '../../model/use-run.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { ActDialog } from './act-dialog.tsx';
import { newRunIn } from './answers.ts';
import { DefinitionWords } from './definition-words.tsx';
import { forkFields } from './fork-fields.ts';
import { LabelledField } from './labelled-field.tsx';
import { RedoneWords } from './redone-words.tsx';
import type { SteeringDialogProps } from './steering-dialog.tsx';
import { StepSelect } from './step-select.tsx';
import { useRunView } from './use-run-view.ts';
import { useSteering } from './use-steering.ts';
import { useSteps } from './use-steps.ts';

/** A new run that begins as this one was at a step, perhaps with another input. */
export function ForkDialog({ reason }: SteeringDialogProps): ReactNode {
  const steps = useSteps();
  const steering = useSteering();
  const [title, setTitle] = useState('');
  const form = useForkForm();
  const run = useTree((tree) => tree.root);
  const { chosen } = steps;
  const action: Action | null =
    chosen === null ? null : { kind: 'fork', run, at: chosen.at, ...form.given, ...titled(title) };
  const problem = Object.keys(form.problems)[0];
  const refused =
    chosen === null ? 'Choose a step.' : problem === undefined ? null : `Mend the field ${problem} first.`;
  const { state } = steering;
  return (
    <ActDialog
      title="Fork the run"
      verb="Fork"
      action={action}
      reason={reason ?? refused}
      steering={steering}
      outcome={state.kind === 'done' ? <Forked run={newRunIn(state.answer)} /> : null}
    >
      <StepSelect
        steps={steps}
        label="From the step"
        says="The new run has the conversations and files of this moment. This run stays as it is."
      />
      {chosen !== null && <RedoneWords point={chosen} />}
      {form.fields}
      <LabelledField
        label="Title"
        placeholder="as the run, with where it comes from"
        value={title}
        onChange={setTitle}
      />
      <DefinitionWords />
    </ActDialog>
  );
}

const titled = (title: string): { readonly title?: string } => (title.trim() === '' ? {} : { title: title.trim() });

/** What was changed of the run's input. */
function useForkForm() {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const view = useRunView();
  const root = useTree((tree) => tree.runs.get(tree.root));
  const workflow = root?.definition?.workflow;
  const input = { ...workflow?.data, ...(view?.input ?? root?.snapshot.input) };
  const inputs = forkFields(workflow?.inputs ?? [], input);
  const { action, problems } = readForm({ name: '', inputs }, { ...defaults(inputs), ...typed });
  const fields = inputs.map((field) => (
    <StartField
      key={field.name}
      field={field}
      value={typed[field.name] ?? field.default ?? ''}
      problem={problems[field.name] ?? null}
      onChange={(value) => setTyped({ ...typed, [field.name]: value })}
    />
  ));
  const given = Object.keys(action.input).length === 0 ? {} : { input: action.input };
  return { fields, problems, given };
}

const defaults = (fields: ReturnType<typeof forkFields>): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map((field) => [field.name, field.default ?? '']));

function Forked({ run }: { readonly run: string | null }): ReactNode {
  if (run === null) return <p>The fork has begun.</p>;
  return (
    <p>
      The fork has begun:{' '}
      <Link to="/runs/$run" params={{ run }} className="font-medium text-accent underline">
        open <code>{visibleText(run)}</code>
      </Link>
    </p>
  );
}
