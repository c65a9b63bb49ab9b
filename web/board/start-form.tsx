import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { isJsonObject } from '../../src/core/model/json.ts';
import type { InputField, WorkflowLine } from '../../src/protocol/web/workflow-page.ts';
import { ApiProblem, performAction } from '../api/client.ts';
import { overlays, useOverlay } from '../shell/overlays.ts';
import { Button, LabelledSelect, Select, TextArea, TextField } from '../ui/controls.tsx';
import { CommandTwin } from '../ui/copy-button.tsx';
import { Dialog, Empty } from '../ui/boxes.tsx';
import { visibleText } from '../ui/text.tsx';
import { useRoleReason } from '../ui/use-role.ts';
import { readForm, type StartFormValues as Filled } from './read-form.ts';
import { useQuery } from '@tanstack/react-query';
import { workflowsQuery } from '../api/queries.ts';

interface StartFieldProps {
  readonly field: InputField;
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}

export function StartField({ field, value, problem, onChange }: StartFieldProps): ReactNode {
  const id = useId();
  const { name, description, isRequired, type } = field;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="flex items-baseline gap-2 font-medium">
        {visibleText(name)}
        <span className="text-sm font-normal text-muted">
          {isRequired ? 'required' : type === 'string' ? '' : type}
        </span>
      </label>
      <Control field={field} value={value} onChange={onChange} id={id} isWrong={problem !== null} />
      <p id={`${id}-says`} className={problem === null ? 'text-sm text-muted' : 'text-sm text-bad'}>
        {problem ?? visibleText(description)}
      </p>
    </div>
  );
}

interface ControlProps extends Omit<StartFieldProps, 'problem'> {
  readonly id: string;
  readonly isWrong: boolean;
}

function Control({ field, value, onChange, id, isWrong }: ControlProps): ReactNode {
  const common = {
    id,
    value,
    'data-field': field.name,
    'aria-invalid': isWrong,
    'aria-describedby': `${id}-says`,
    'aria-required': field.isRequired,
  };
  const choices = field.type === 'boolean' ? ['true', 'false'] : field.choices;
  if (choices.length > 0)
    return (
      <Select
        {...common}
        onChange={onChange}
        options={[
          ...(choices.includes(value) ? [] : [{ value: '', label: '–' }]),
          ...choices.map((choice) => ({ value: choice, label: choice })),
        ]}
      />
    );
  if (field.isLong)
    return <TextArea {...common} onChange={(event) => onChange(event.target.value)} onKeyDown={submitByKey} />;
  const mode = field.type === 'number' ? 'decimal' : 'text';
  return (
    <TextField {...common} inputMode={mode} autoComplete="off" onChange={(event) => onChange(event.target.value)} />
  );
}

interface StartFormProps {
  readonly workflows: readonly WorkflowLine[];
  readonly workflow: WorkflowLine;
  readonly onChoose: (name: string) => void;
}

function StartForm({ workflows, workflow, onChoose }: StartFormProps): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isTried, setTried] = useState(false);
  const form = readForm(workflow, typed);
  const { refusal, isBusy, start } = useStart(form.action);
  const reason = useRoleReason('start', form.action);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setTried(true);
    const wrong = workflow.inputs.find(({ name }) => form.problems[name] !== undefined);
    if (wrong === undefined && reason === null) void start();
    else if (wrong !== undefined)
      event.currentTarget.querySelector<HTMLElement>(`[data-field="${CSS.escape(wrong.name)}"]`)?.focus();
  };
  return (
    <Dialog
      title="Start a run"
      open
      onClose={() => overlays.close()}
      footer={
        <Button kind="primary" type="submit" form={id} isBusy={isBusy} disabledReason={reason}>
          {isBusy ? 'Starting …' : 'Start'}
        </Button>
      }
    >
      <form id={id} onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Which workflows={workflows} workflow={workflow} onChoose={onChoose} />
        {workflow.inputs.map((field) => (
          <StartField
            key={field.name}
            field={field}
            value={typed[field.name] ?? field.default ?? ''}
            problem={isTried ? (form.problems[field.name] ?? null) : null}
            onChange={(value) => setTyped({ ...typed, [field.name]: value })}
          />
        ))}
        {refusal !== '' && (
          <p role="alert" className="rounded-md bg-bad-soft px-2 py-1.5 wrap-anywhere whitespace-pre-wrap text-bad">
            {visibleText(refusal)}
          </p>
        )}
        <CommandTwin action={form.action} />
      </form>
    </Dialog>
  );
}

/** Enter makes a new line in a long field; with Ctrl or ⌘ it sends the form. */
function submitByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

function Which({ workflows, workflow, onChoose }: StartFormProps): ReactNode {
  return (
    <LabelledSelect
      label="Workflow"
      says={visibleText(workflow.description)}
      value={workflow.name}
      onChange={onChoose}
      options={workflows.map(({ name }) => ({ value: name, label: name }))}
    />
  );
}

function useStart(action: Filled['action']): {
  readonly refusal: string;
  readonly isBusy: boolean;
  readonly start: () => Promise<void>;
} {
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState('');
  const [isBusy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    setRefusal('');
    setBusy(true);
    try {
      const started = await performAction(action);
      const run = isJsonObject(started) && typeof started['run'] === 'string' ? started['run'] : null;
      overlays.close();
      await navigate(run === null ? { to: '/' } : { to: '/runs/$run', params: { run } });
    } catch (error) {
      setRefusal(words(error));
    }
    setBusy(false);
  };
  return { refusal, isBusy, start };
}

const words = (error: unknown): string =>
  error instanceof ApiProblem ? [error.message, error.hint].filter(Boolean).join('\n') : String(error);

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
