import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { readForm } from '../../board/read-form.ts';
import { StartField } from '../../board/start-form.tsx';
import { useTree } from '../../model/use-run.ts';
import { visibleText } from '../../ui/text.tsx';
import { ActDialog, useSteering } from './act-dialog.tsx';
import { newRunIn } from './answers.ts';
import { useDeliveryWish } from './delivery-wish.tsx';
import { LabelledField } from '../../ui/controls.tsx';
import { RedoneWords, StepSelect, useSteps } from './use-steps.tsx';
import type { SteeringDialogProps } from './dialog-props.ts';
import { useRunView } from '../use-run-card.ts';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import type { Parameter } from '../../../src/core/model/workflow.ts';
import type { InputField } from '../../../src/protocol/web/workflow-page.ts';

/** A fork keeps its run's definition; a user who changed the files since should know. */
function DefinitionWords(): ReactNode {
  const definition = useRunView()?.definition;
  const isSame = definition === undefined || definition.state === 'same';
  return (
    <div className="text-sm text-muted">
      <p>It follows the same definition as this run.</p>
      {!isSame && (
        <p>
          Its files have changed since{definition.file === undefined ? '' : `: ${visibleText(definition.file)}`}. To go
          on with the new definition, pause the fork and resume it with that choice.
        </p>
      )}
    </div>
  );
}

/** The input of a run as fields that have what it was given: what stays as it is is not said again. */
export function forkFields(parameters: readonly Parameter[], input: JsonObject): readonly InputField[] {
  return parameters.map(({ name, type, description, required }) => {
    const text = textOf(input[name]);
    return {
      name,
      type,
      description,
      isRequired: required,
      default: text,
      choices: type === 'boolean' ? ['true', 'false'] : [],
      isLong: type === 'object' || (text !== null && (text.length > 60 || text.includes('\n'))),
    };
  });
}

function textOf(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A new run that begins as this one was at a step, perhaps with another input. */
export function ForkDialog({ reason }: SteeringDialogProps): ReactNode {
  const steps = useSteps();
  const steering = useSteering();
  const [title, setTitle] = useState('');
  const form = useForkForm();
  const delivery = useDeliveryWish();
  const run = useTree((tree) => tree.root);
  const { chosen } = steps;
  const action: Action | null =
    chosen === null ? null : { kind: 'fork', run, at: chosen.at, ...form.given, ...titled(title), ...delivery.wish };
  const problem = Object.keys(form.problems)[0];
  const refused = chosen === null ? 'Choose a step.' : problem === undefined ? null : `Fix the field ${problem} first.`;
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
      {delivery.fields}
      <DefinitionWords />
    </ActDialog>
  );
}

const titled = (title: string): { readonly title?: string } => (title.trim() === '' ? {} : { title: title.trim() });

/** The changes of the run's input. */
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
