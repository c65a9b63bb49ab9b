import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { isJsonObject } from '../../src/core/json.ts';
import type { WorkflowLine } from '../../src/protocol/web/workflow-page.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { performAction } from '../api/perform.ts';
import { overlays } from '../shell/overlays.ts';
import { Button } from '../ui/button.tsx';
import { CommandTwin } from '../ui/command-twin.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/select.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { StartField } from './start-field.tsx';
import { readForm, type StartFormValues as Filled } from './read-form.ts';

interface Props {
  readonly workflows: readonly WorkflowLine[];
  readonly workflow: WorkflowLine;
  readonly onChoose: (name: string) => void;
}

export function StartForm({ workflows, workflow, onChoose }: Props): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isTried, setTried] = useState(false);
  const form = readForm(workflow, typed);
  const { refusal, isBusy, start } = useStart(form.action);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setTried(true);
    const wrong = workflow.inputs.find(({ name }) => form.problems[name] !== undefined);
    if (wrong === undefined) void start();
    else event.currentTarget.querySelector<HTMLElement>(`[data-field="${CSS.escape(wrong.name)}"]`)?.focus();
  };
  return (
    <Dialog
      title="Start a run"
      open
      onClose={() => overlays.close()}
      footer={
        <Button kind="primary" type="submit" form={id} isBusy={isBusy}>
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

function Which({ workflows, workflow, onChoose }: Props): ReactNode {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        Workflow
      </label>
      <Select
        id={id}
        value={workflow.name}
        onChange={onChoose}
        options={workflows.map(({ name }) => ({ value: name, label: name }))}
      />
      <p className="text-sm text-muted">{visibleText(workflow.description)}</p>
    </div>
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
