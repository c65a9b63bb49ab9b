import {
  Ban,
  Braces,
  Check,
  ChevronRight,
  CircleHelp,
  FileBox,
  LoaderCircle,
  MessageSquareReply,
  X,
} from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { isHalted } from '../../model/run-tree.ts';
import type { SaidEntry, ShownToolUse, UseStatus } from '../../model/transcript-entry.ts';
import { toolTarget } from '../../../src/protocol/tool-words.ts';
import { useTree } from '../../model/use-run.ts';
import { classNames } from '../../ui/controls.tsx';
import { Duration } from '../../ui/figures.tsx';
import { PlainText, visibleText } from '../../ui/text.tsx';
import { useOpen } from './open-rows.ts';
import { shortcuts } from '../../ui/shortcuts.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ScrollBox } from '../../ui/boxes.tsx';
import { useRecord, Words } from './words.tsx';
import { shortCount } from '../../../src/core/look/amount-text.ts';
import { JsonView } from './json-view.tsx';
import { callIn, cutInCall } from './record-text.ts';
import { useSelection } from '../../model/selection.ts';
import { artifactsOf } from '../artifacts/tree-artifacts.ts';

interface ArtifactLinkProps {
  readonly use: ShownToolUse;
  readonly entry: Pick<SaidEntry, 'run' | 'task'>;
}

/** From a tool call to the artifact that its file became. */
function ArtifactLink({ use, entry }: ArtifactLinkProps): ReactNode {
  const [, select] = useSelection();
  const target = toolTarget(use.given);
  const id = useTree((tree) => artifactsOf(tree).find((one) => one.path === target || one.name === target)?.id ?? null);
  if (id === null || target === '' || entry.task === null) return null;
  return (
    <button
      type="button"
      title="It is an artifact: show it"
      aria-label={`Show the artifact ${visibleText(target)}`}
      onClick={() => select({ tab: 'artifacts', artifact: id })}
      className="rounded-sm p-1 text-muted hover:bg-hover hover:text-text"
    >
      <FileBox size={12} aria-hidden />
    </button>
  );
}

interface ToolGivenProps {
  readonly use: Pick<ShownToolUse, 'id' | 'given'>;
  readonly entry: Pick<SaidEntry, 'run' | 'seq'>;
}

/** The arguments of a tool call. Long texts show their beginning, and the rest on request. */
function ToolGiven({ use: { id, given }, entry: { run, seq } }: ToolGivenProps): ReactNode {
  const line = useTree((tree) => tree.runs.get(run)?.lines[seq - 1] ?? null);
  const { ask, fact, isReading, problem } = useRecord(run, seq);
  const cut = line === null ? 0 : cutInCall(line, id);
  const whole = fact === null ? undefined : callIn(fact, id)?.arguments;
  return (
    <>
      <JsonView value={whole ?? given} />
      {cut > 0 && whole === undefined && (
        <button type="button" className="self-start text-accent underline" onClick={ask}>
          {isReading ? 'Reading …' : `The input is cut: show all (${shortCount(cut)} characters)`}
        </button>
      )}
      {problem !== null && <p className="text-bad">{visibleText(problem)}</p>}
    </>
  );
}

interface ToolDetailsProps {
  readonly use: ShownToolUse;
  readonly entry: Pick<SaidEntry, 'run' | 'seq'>;
  readonly isRaw: boolean;
}

function ToolDetails({ use, entry, isRaw }: ToolDetailsProps): ReactNode {
  const { result, objection } = use;
  return (
    <div className="my-1 ml-1.5 flex flex-col gap-2 border-l-2 border-line py-1 pl-3 text-sm">
      {isRaw ? (
        <div className="flex items-start gap-1">
          <PlainText text={JSON.stringify(use, null, 2)} className="flex-1 rounded-md bg-sunken p-2" />
          <CopyButton label="Copy the JSON" text={() => JSON.stringify(use, null, 2)} />
        </div>
      ) : (
        <>
          <ToolGiven use={use} entry={entry} />
          {objection !== null && <p className="text-bad">{visibleText(objection)}</p>}
          {result === null ? (
            <p className="text-muted">There is no result yet.</p>
          ) : (
            <ScrollBox
              className="max-h-96 overflow-auto rounded-md bg-sunken p-2"
              label={`Result of ${visibleText(use.name)}`}
            >
              {result.content === '' ? (
                <span className="text-muted">It returned nothing.</span>
              ) : (
                <Words run={entry.run} seq={result.seq} text={result.content} isPlain />
              )}
            </ScrollBox>
          )}
          {result !== null && result.tries > 1 && <p className="text-muted">Tried {result.tries} times.</p>}
        </>
      )}
    </div>
  );
}

const LOOKS: Readonly<
  Record<UseStatus, { readonly icon: typeof Check; readonly tone: string; readonly word: string }>
> = {
  running: { icon: LoaderCircle, tone: 'text-accent', word: 'running' },
  asks: { icon: CircleHelp, tone: 'text-warn', word: 'waits for you' },
  ok: { icon: Check, tone: 'text-muted', word: 'ok' },
  reply: { icon: MessageSquareReply, tone: 'text-ok', word: 'accepted' },
  failed: { icon: X, tone: 'text-bad', word: 'failed' },
  refused: { icon: Ban, tone: 'text-bad', word: 'refused' },
  left: { icon: Ban, tone: 'text-muted', word: 'left' },
};

interface ToolLineProps {
  readonly use: ShownToolUse;
  readonly entry: Pick<SaidEntry, 'run' | 'seq' | 'key' | 'task'>;
}

/** A tool call in one line; unfolded, what it was given and what came back. `r` shows it as JSON. */
export function ToolLine({ use, entry }: ToolLineProps): ReactNode {
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

function Line({ use: { name, given, status: recorded, result } }: Pick<ToolLineProps, 'use'>): ReactNode {
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
