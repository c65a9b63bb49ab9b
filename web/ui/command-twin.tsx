import { SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { commandText, type Action } from '../../src/protocol/web/action.ts';
import { CopyButton } from './copy-button.tsx';
import { visibleText } from './visible-text.ts';

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
