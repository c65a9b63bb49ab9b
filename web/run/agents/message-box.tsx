import { Send } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { roleProblem } from '../../../src/protocol/operations/access.ts';
import { IconButton, TextArea } from '../../ui/controls.tsx';
import { visibleText } from '../../ui/text.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useRole } from '../../ui/use-role.ts';

interface Props {
  readonly run: string;
  readonly agent: string;
}

type Message = { readonly kind: 'open' | 'sending' } | { readonly kind: 'sent'; readonly text: string };

interface Sending {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly message: Message;
  /** Why it cannot be sent now. */
  readonly reason: string | null;
  readonly send: (event: SyntheticEvent) => Promise<void>;
}

function useMessage({ run, agent }: Props): Sending {
  const act = useAct();
  const role = useRole();
  const [text, setText] = useState('');
  const [message, setMessage] = useState<Message>({ kind: 'open' });
  const said = text.trim();
  const reason = roleProblem(role, 'tell') ?? (said === '' ? 'Write a message first' : null);
  const send = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (reason !== null || message.kind === 'sending') return;
    setMessage({ kind: 'sending' });
    try {
      await act({ kind: 'tell', run, agent, text: said });
      // What was typed meanwhile is the next message.
      setText((now) => (now === text ? '' : now));
      setMessage({ kind: 'sent', text: said });
    } catch {
      // `act` has shown the error; the text stays.
      setMessage({ kind: 'open' });
    }
  };
  return { text, setText, message, reason, send };
}

/** A message to an agent at work: it reads it with its next call, and nothing is interrupted. */
export function MessageBox({ run, agent }: Props): ReactNode {
  const id = useId();
  const { text, setText, message, reason, send } = useMessage({ run, agent });
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) void send(event);
  };
  return (
    <form onSubmit={(event) => void send(event)} className="shrink-0 border-t border-line bg-surface px-2 py-1.5">
      {message.kind === 'sent' && (
        <p role="status" className="truncate px-1 pb-1 text-xs text-muted" title={visibleText(message.text)}>
          Sent. {visibleText(agent)} reads it before it continues: {visibleText(message.text)}
        </p>
      )}
      <div className="flex items-end gap-1">
        <label htmlFor={id} className="sr-only">
          Message to {visibleText(agent)}
        </label>
        <TextArea
          id={id}
          isLow
          rows={1}
          placeholder={`Message ${visibleText(agent)} (Enter sends it)`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
        />
        <IconButton type="submit" label={`Send to ${agent}`} disabledReason={reason}>
          <Send size={14} aria-hidden />
        </IconButton>
      </div>
    </form>
  );
}
