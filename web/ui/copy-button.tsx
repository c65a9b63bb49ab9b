import { Check, Copy, SquareTerminal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from './controls.tsx';
import { toast } from './toasts.tsx';
import { type Action, commandText } from '../../src/protocol/web/action.ts';
import { visibleText } from './text.tsx';

interface Props {
  readonly label: string;
  /** Asked when it is pressed. */
  readonly text: () => string;
  readonly icon?: ReactNode;
}

export function CopyButton({ label, text, icon }: Props): ReactNode {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    } catch {
      toast({ tone: 'bad', title: 'The browser did not let it be copied.' });
    }
  };
  return (
    <IconButton label={isDone ? 'Copied' : label} onClick={() => void copy()}>
      {isDone ? <Check size={14} aria-hidden className="text-ok" /> : (icon ?? <Copy size={14} aria-hidden />)}
    </IconButton>
  );
}

/** The command that does the same in a terminal. */
export function CommandTwin({ action }: { readonly action: Action }): ReactNode {
  const text = commandText(action);
  return (
    <div className="flex min-w-0 items-start gap-2 rounded-md bg-sunken py-0.5 pr-0.5 pl-2 text-muted">
      <SquareTerminal size={14} aria-hidden className="mt-[7px] shrink-0" />
      <code
        aria-label="The same as a command"
        className="max-h-24 min-w-0 flex-1 overflow-auto py-1.5 text-xs wrap-anywhere whitespace-pre-wrap"
      >
        {visibleText(text)}
      </code>
      <CopyButton label="Copy the command" text={() => text} />
    </div>
  );
}
