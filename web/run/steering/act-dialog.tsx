import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { roleProblem } from '../../../src/protocol/operations/access.ts';
import { Button } from '../../ui/controls.tsx';
import { useRole } from '../../ui/use-role.ts';
import { CommandTwin } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/boxes.tsx';
import { visibleText } from '../../ui/text.tsx';
import { useQueryClient } from '@tanstack/react-query';
import type { Json } from '../../../src/core/model/json.ts';
import { ApiProblem, performAction } from '../../api/client.ts';
import { useSelection } from '../../model/selection.ts';

export type SteeringState =
  | { readonly kind: 'open' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'done'; readonly answer: Json }
  /** The error of the command, shown in the dialog where it can be fixed. */
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string; readonly code: string };

interface Steering {
  readonly state: SteeringState;
  readonly act: (action: Action) => Promise<void>;
  /** Back to the form, with what was written in it. */
  readonly again: () => void;
}

/** Does what a dialog is for, once, and keeps what came of it. */
export function useSteering(): Steering {
  const queries = useQueryClient();
  const [state, setState] = useState<SteeringState>({ kind: 'open' });
  const act = async (action: Action): Promise<void> => {
    setState({ kind: 'busy' });
    try {
      setState({ kind: 'done', answer: await performAction(action) });
    } catch (error) {
      setState(refusal(error));
    }
    void queries.invalidateQueries();
  };
  return { state, act, again: () => setState({ kind: 'open' }) };
}

function refusal(error: unknown): SteeringState {
  if (error instanceof ApiProblem)
    return { kind: 'refused', message: error.message, hint: error.hint ?? '', code: error.code };
  return { kind: 'refused', message: String(error), hint: '', code: '' };
}

/** Dialogs stand in the address, so that a link opens them. */
function useCloseDialog(): () => void {
  const [, select] = useSelection();
  return () => select({ dialog: undefined });
}

function RefusedNote({ state }: { readonly state: SteeringState }): ReactNode {
  if (state.kind !== 'refused') return null;
  return (
    <p role="alert" className="rounded-md bg-bad-soft px-2 py-1.5 wrap-anywhere text-bad">
      {visibleText(state.message)} {state.hint !== '' && <span className="block">{visibleText(state.hint)}</span>}
    </p>
  );
}

interface ActDialogProps {
  readonly title: string;
  /** The word on the button that does it. */
  readonly verb: string;
  readonly action: Action | null;
  /** Why it cannot be done now. */
  readonly reason: string | null;
  readonly steering: Steering;
  readonly isDanger?: boolean;
  readonly size?: 'small' | 'wide';
  /** The result, shown instead of the form. */
  readonly outcome?: ReactNode;
  readonly children: ReactNode;
}

/** A form, the command that does the same, and one button; then what came of it. */
export function ActDialog(props: ActDialogProps): ReactNode {
  const { title, verb, action, steering, isDanger = false, size = 'small', outcome, children } = props;
  const role = useRole();
  const reason = props.reason ?? (action === null ? null : roleProblem(role, action.kind, action));
  const close = useCloseDialog();
  const id = useId();
  const { state, act } = steering;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (action !== null && reason === null && state.kind !== 'busy') void act(action);
  };
  if (outcome !== undefined && outcome !== null)
    return (
      <Dialog title={title} open onClose={close} size={size} footer={<Button onClick={close}>Close</Button>}>
        <div role="status" className="flex flex-col gap-3">
          {outcome}
        </div>
      </Dialog>
    );
  return (
    <Dialog
      title={title}
      open
      onClose={close}
      size={size}
      footer={<Decide {...{ id, verb, reason, action, isDanger, onClose: close }} isBusy={state.kind === 'busy'} />}
    >
      <form id={id} onSubmit={submit} noValidate className="flex flex-col gap-3">
        {reason !== null && <p className="rounded-md bg-warn-soft px-2 py-1.5 text-warn">{reason}</p>}
        {children}
        <RefusedNote state={state} />
        {action !== null && <CommandTwin action={action} />}
      </form>
    </Dialog>
  );
}

interface DecideProps extends Pick<ActDialogProps, 'verb' | 'reason' | 'action'> {
  /** Of the form. */
  readonly id: string;
  readonly isDanger: boolean;
  readonly isBusy: boolean;
  readonly onClose: () => void;
}

function Decide({ id, verb, reason, action, isDanger, isBusy, onClose }: DecideProps): ReactNode {
  return (
    <>
      {/* Beside "Cancel the run" the same word would mean two things. */}
      <Button onClick={onClose}>{action?.kind === 'cancel' ? 'Back' : 'Cancel'}</Button>
      <Button type="submit" form={id} kind={isDanger ? 'danger' : 'primary'} isBusy={isBusy} disabledReason={reason}>
        {verb}
      </Button>
    </>
  );
}

interface ChoiceGroupProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly says?: string }[];
}

/** One of a few, each with a word on what it means. */
export function ChoiceGroup<Value extends string>({
  label,
  value,
  onChange,
  choices,
}: ChoiceGroupProps<Value>): ReactNode {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="flex cursor-pointer items-start gap-2">
          <input
            type="radio"
            name={name}
            className="mt-1 accent-(--accent)"
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>
            {choice.label}
            {choice.says !== undefined && <span className="block text-sm text-muted">{choice.says}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
