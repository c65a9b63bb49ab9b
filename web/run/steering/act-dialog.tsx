import { useId, type ReactNode, type SyntheticEvent } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { Button } from '../../ui/button.tsx';
import { CommandTwin } from '../../ui/command-twin.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RefusedNote } from './refused.tsx';
import { useCloseDialog, type Steering } from './use-steering.ts';

interface Props {
  readonly title: string;
  /** The word on the button that does it. */
  readonly verb: string;
  readonly action: Action | null;
  /** Why it cannot be done as it stands. */
  readonly reason: string | null;
  readonly steering: Steering;
  readonly isDanger?: boolean;
  readonly size?: 'small' | 'wide';
  /** What came of it, instead of the form. */
  readonly outcome?: ReactNode;
  readonly children: ReactNode;
}

/** A form, the command that does the same, and one button; then what came of it. */
export function ActDialog(props: Props): ReactNode {
  const { title, verb, action, reason, steering, isDanger = false, size = 'small', outcome, children } = props;
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
      footer={
        <>
          <Button onClick={close}>Leave it</Button>
          <Button
            type="submit"
            form={id}
            kind={isDanger ? 'danger' : 'primary'}
            isBusy={state.kind === 'busy'}
            disabledReason={reason}
          >
            {verb}
          </Button>
        </>
      }
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
