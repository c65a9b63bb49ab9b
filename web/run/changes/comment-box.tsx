import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode, type SyntheticEvent } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { Button } from '../../ui/button.tsx';
import { CommandTwin } from '../../ui/command-twin.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import type { CommentAction, CommentPlace } from './comment-action.ts';
import { NOTE_BOX } from './note-box.ts';
import type { WorkspaceAgent } from './workspace-choices.ts';

interface Props {
  readonly place: CommentPlace;
  readonly agents: readonly WorkspaceAgent[];
  /** Which of them hears it. */
  readonly chosen: number;
  readonly comment: string;
  /** What becomes of it; null where nothing can. */
  readonly told: CommentAction | null;
  readonly isBusy: boolean;
  readonly onChoose: (agent: number) => void;
  readonly onComment: (comment: string) => void;
  readonly onSend: (action: Action) => void;
  readonly onClose: () => void;
}

/** Where a comment is written, with what becomes of it said before it is sent. */
export function CommentBox(props: Props): ReactNode {
  const { place, agents, chosen, comment, told, isBusy, onChoose, onComment, onSend, onClose } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const isEmpty = comment.trim() === '';
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!isEmpty && told !== null) onSend(told.action);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
    if (event.key === 'Escape') onClose();
  };
  return (
    <form onSubmit={submit} className={`${NOTE_BOX} flex max-w-2xl flex-col gap-2`}>
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="min-w-0 flex-1 truncate font-medium">
          {aboutText(place)}
        </label>
        <Select
          aria-label="To whom"
          value={String(chosen)}
          onChange={(value) => onChoose(Number(value))}
          options={agents.map(({ agent }, index) => ({ value: String(index), label: `to ${agent}` }))}
        />
      </div>
      <TextArea
        ref={field}
        id={id}
        isLow
        placeholder="What should be different (Ctrl Enter sends it)"
        value={comment}
        onChange={(event) => onComment(event.target.value)}
        onKeyDown={press}
      />
      <p className="text-sm text-muted">{told?.what ?? 'No step of this run is known to begin from.'}</p>
      {told !== null && !isEmpty && <CommandTwin action={told.action} />}
      <Buttons {...{ isBusy, isEmpty, onClose }} verb={told?.action.kind === 'fork' ? 'Fork and tell' : 'Tell'} />
    </form>
  );
}

function aboutText({ path, line, side }: CommentPlace): string {
  if (line === 0) return `About ${visibleText(path)}`;
  return side === 'old' ? `About line ${line}, which was removed` : `About line ${line}`;
}

interface ButtonsProps {
  readonly isBusy: boolean;
  readonly isEmpty: boolean;
  readonly verb: string;
  readonly onClose: () => void;
}

function Buttons({ isBusy, isEmpty, verb, onClose }: ButtonsProps): ReactNode {
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onClose}>Leave it</Button>
      <Button kind="primary" type="submit" isBusy={isBusy} disabledReason={isEmpty ? 'Write a comment first' : null}>
        {verb}
      </Button>
    </div>
  );
}
