import { Ban, Braces, Check, ChevronRight, CircleHelp, LoaderCircle, MessageSquareReply, X } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { isHalted } from '../../model/halted-at.ts';
import type { SaidEntry, ShownToolUse, UseStatus } from '../../model/transcript-entry.ts';
import { toolTarget } from '../../../src/protocol/tool-words.ts';
import { useTree } from '../../model/use-run.ts';
import { classNames } from '../../ui/class-names.ts';
import { Duration } from '../../ui/duration.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { ArtifactLink } from './artifact-link.tsx';
import { useOpen } from './open-rows.ts';
import { ToolDetails } from './tool-details.tsx';
import { shortcuts } from '../../ui/use-shortcut.ts';

const LOOKS: Readonly<
  Record<UseStatus, { readonly icon: typeof Check; readonly tone: string; readonly word: string }>
> = {
  running: { icon: LoaderCircle, tone: 'text-accent', word: 'running' },
  asks: { icon: CircleHelp, tone: 'text-warn', word: 'waits for you' },
  ok: { icon: Check, tone: 'text-muted', word: 'ok' },
  reply: { icon: MessageSquareReply, tone: 'text-ok', word: 'taken' },
  failed: { icon: X, tone: 'text-bad', word: 'failed' },
  refused: { icon: Ban, tone: 'text-bad', word: 'refused' },
  left: { icon: Ban, tone: 'text-muted', word: 'left' },
};

interface Props {
  readonly use: ShownToolUse;
  readonly entry: Pick<SaidEntry, 'run' | 'seq' | 'key' | 'task'>;
}

/** A tool call in one line; unfolded, what it was given and what came back. `r` shows it as JSON. */
export function ToolLine({ use, entry }: Props): ReactNode {
  const [isOpen, toggle] = useOpen(`${entry.key} ${use.id}`);
  const [isRaw, setRaw] = useState(false);
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'r' || event.ctrlKey || event.metaKey || shortcuts.isBegun(event.timeStamp)) return;
    event.preventDefault();
    if (!isOpen) toggle();
    setRaw(!isRaw || !isOpen);
  };
  return (
    // Keys of the line are heard wherever in it the focus is.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="min-w-0" onKeyDown={press}>
      <div className="flex min-w-0 items-center gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={toggle}
          className="-mx-1 flex min-w-0 flex-1 items-center gap-1.5 rounded-sm px-1 py-0.5 text-left text-sm hover:bg-hover"
        >
          <ChevronRight size={12} aria-hidden className={classNames('shrink-0 text-muted', isOpen && 'rotate-90')} />
          <Line use={use} />
        </button>
        <ArtifactLink use={use} entry={entry} />
        {isOpen && (
          <button
            type="button"
            aria-pressed={isRaw}
            aria-label="Show it as JSON (r)"
            title="Show it as JSON (r)"
            onClick={() => setRaw(!isRaw)}
            className={classNames('rounded-sm p-1 hover:bg-hover', isRaw ? 'text-accent' : 'text-muted')}
          >
            <Braces size={12} aria-hidden />
          </button>
        )}
      </div>
      {isOpen && <ToolDetails use={use} entry={entry} isRaw={isRaw} />}
    </div>
  );
}

function Line({ use: { name, given, status: recorded, result } }: Pick<Props, 'use'>): ReactNode {
  const isCutOff = useTree(isHalted) && recorded === 'running';
  const status = isCutOff ? 'left' : recorded;
  const { icon: Icon, tone, word } = LOOKS[status];
  const spin = status === 'running' && 'animate-[spin_2.4s_linear_infinite] will-change-transform';
  return (
    <>
      <Icon size={12} aria-hidden className={classNames('shrink-0', tone, spin)} />
      <span className="shrink-0 font-mono">{visibleText(name)}</span>
      <span className="truncate font-mono text-xs text-muted">{visibleText(toolTarget(given))}</span>
      <span className={classNames('ml-auto flex shrink-0 items-center gap-1.5 pl-1', tone)}>
        <span className={status === 'ok' ? 'sr-only' : undefined}>
          {isCutOff ? 'cut off' : (result?.refused ?? word)}
        </span>
        {result !== null && result.ms > 0 && <Duration ms={result.ms} />}
      </span>
    </>
  );
}
