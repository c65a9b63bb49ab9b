import { memo, type ReactNode, useMemo } from 'react';
import { visibleText } from '../../ui/text.tsx';
import type { Row } from './transcript-rows.ts';
import {
  type ActivityEntry,
  type Entry,
  type EntryStanding,
  type NoteEntry,
  type SaidEntry,
  seenAs,
} from '../../model/transcript-entry.ts';
import { AgentName, Badge, type Tone } from '../../ui/marks.tsx';
import { classNames } from '../../ui/controls.tsx';
import { AnswerFacts, Clamp, Words } from './words.tsx';
import { ToolLine } from './tool-line.tsx';
import type { Message } from '../../../src/core/model/message.ts';
import { JsonView } from './json-view.tsx';
import {
  ArrowRight,
  Ban,
  Bot,
  Check,
  Info,
  LoaderCircle,
  RotateCw,
  Settings2,
  TriangleAlert,
  User,
  Workflow,
  Wrench,
  X,
} from 'lucide-react';
import type { Activity } from '../../../src/core/record/agent-fact.ts';
import { isHalted } from '../../model/run-tree.ts';
import { useTree } from '../../model/use-run.ts';
import { Duration, formatClock } from '../../ui/figures.tsx';
import { authorKind, type AuthorKind } from '../../model/run-history.ts';
import { useSelection } from '../../model/selection.ts';

const KINDS: Readonly<Record<Activity['kind'], typeof Check>> = {
  tool: Wrench,
  minion: Bot,
  retry: RotateCw,
  notice: Info,
};
const MARKS: Readonly<Record<Activity['status'], { readonly icon: typeof Check; readonly tone: string }>> = {
  running: { icon: LoaderCircle, tone: 'text-accent' },
  ok: { icon: Check, tone: 'text-muted' },
  failed: { icon: X, tone: 'text-bad' },
  denied: { icon: Ban, tone: 'text-bad' },
};

const CUT_OFF = { icon: Ban, tone: 'text-muted' };

/** An activity of a client, in one line. */
export function ActivityRow({ entry: { activity, at, endedAt } }: { readonly entry: ActivityEntry }): ReactNode {
  const Kind = KINDS[activity.kind];
  const isCutOff = useTree(isHalted) && activity.status === 'running';
  const { icon: Mark, tone } = isCutOff ? CUT_OFF : MARKS[activity.status];
  return (
    <p className={classNames('flex min-w-0 items-center gap-1.5 text-sm', activity.parent !== undefined && 'pl-5')}>
      <Kind size={12} aria-label={activity.kind} className="shrink-0 text-muted" />
      <Mark size={12} aria-hidden className={classNames('shrink-0', tone)} />
      <span className="shrink-0 font-mono">{visibleText(activity.name)}</span>
      <span className="truncate text-muted" title={visibleText(activity.text ?? '')}>
        {visibleText(activity.text ?? '')}
      </span>
      <span className={classNames('ml-auto shrink-0', tone)}>
        <span className={activity.status === 'ok' ? 'sr-only' : 'pr-1'}>{isCutOff ? 'cut off' : activity.status}</span>
        {endedAt !== null && endedAt > at && <Duration ms={endedAt - at} />}
      </span>
    </p>
  );
}

const NOTE_LOOKS = {
  plain: { icon: Info, tone: 'text-muted' },
  warn: { icon: TriangleAlert, tone: 'text-warn' },
  bad: { icon: X, tone: 'text-bad' },
} as const;

export function NoteRow({ entry: { tone: kind, text, code, outcome } }: { readonly entry: NoteEntry }): ReactNode {
  const { icon: Icon, tone } = NOTE_LOOKS[kind];
  return (
    <p className={classNames('flex items-start gap-1.5 text-sm', tone)}>
      <Icon size={12} aria-hidden className="mt-1 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {outcome !== null && <span className="font-medium">{outcome}: </span>}
        {visibleText(text)} {code !== null && <code className="text-xs">{code}</code>}
      </span>
    </p>
  );
}

/** The author of a message, and its addressee if there is one. */
function Author({
  message: { author, to, role },
}: {
  readonly message: Pick<Message, 'author' | 'to' | 'role'>;
}): ReactNode {
  const kind = useTree((tree) => authorKind({ author, role }, tree));
  return (
    <span className="flex min-w-0 items-center gap-1">
      {kind === 'agent' ? <AgentName agent={author} /> : <Other name={author} kind={kind} />}
      {to !== undefined && (
        <>
          <ArrowRight size={12} aria-label="to" className="shrink-0 text-muted" />
          <AgentName agent={to} />
        </>
      )}
    </span>
  );
}

const AUTHOR_LOOKS: Readonly<
  Record<Exclude<AuthorKind, 'agent'>, { readonly icon: typeof User; readonly who: string }>
> = {
  engine: { icon: Settings2, who: 'the engine' },
  workflow: { icon: Workflow, who: 'the workflow' },
  person: { icon: User, who: 'a person' },
};

function Other({ name, kind }: { readonly name: string; readonly kind: keyof typeof AUTHOR_LOOKS }): ReactNode {
  const { icon: Icon, who } = AUTHOR_LOOKS[kind];
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 font-medium text-muted" title={who}>
      <Icon size={12} role="img" aria-label={who} className="shrink-0" />
      <span className="truncate">{visibleText(name)}</span>
    </span>
  );
}

/** When it was, by the clock; choosing it puts it into the address, so that a link leads here. */
function SeqLink({ entry: { run, seq, at } }: { readonly entry: Pick<Entry, 'run' | 'seq' | 'at'> }): ReactNode {
  const [, select] = useSelection();
  const root = useTree((tree) => tree.root);
  const moment = new Date(at);
  return (
    <button
      type="button"
      title={`Record ${seq}, ${moment.toLocaleString()}. Choose it to link to it.`}
      aria-label={`Record ${seq}, ${formatClock(at)}`}
      onClick={() => select({ seq, run: run === root ? undefined : run })}
      className="num rounded-sm px-0.5 text-xs text-muted hover:text-accent hover:underline"
    >
      <time dateTime={moment.toISOString()}>{formatClock(at)}</time>
    </button>
  );
}

const STANDINGS: Readonly<Record<EntryStanding, { readonly word: string; readonly why: string } | null>> = {
  joined: null,
  open: null,
  apart: { word: 'in this turn only', why: 'The turn failed, so later turns do not read it.' },
  lost: { word: 'not heard', why: 'The turn ended before the agent answered it.' },
  gone: { word: 'not sent any more', why: 'Cleared or trimmed away.' },
  undone: { word: 'undone', why: 'The run was put back to before it.' },
};

/** Something that was said, with the tools that were called for. */
export function SaidRow({ entry }: { readonly entry: SaidEntry }): ReactNode {
  const { message, uses, answer, run, seq, key } = entry;
  const standing = STANDINGS[entry.standing];
  return (
    <article
      className={classNames(
        'flex min-w-0 flex-col gap-0.5',
        standing !== null && 'border-l-2 border-dashed border-line-strong pl-2',
      )}
    >
      <header className="flex min-w-0 items-center gap-2">
        <Author message={message} />
        {message.role === 'system' && <span className="text-sm text-muted">sets the scene</span>}
        {standing !== null && (
          <span title={standing.why}>
            <Badge>{standing.word}</Badge>
          </span>
        )}
        <span className="ml-auto flex shrink-0 items-center gap-2">
          {answer !== null && <AnswerFacts answer={answer} />}
          <SeqLink entry={entry} />
        </span>
      </header>
      {message.content !== '' && (
        <Clamp name={`${key} text`}>
          <Words run={run} seq={seq} text={message.content} isPlain={message.role === 'system'} />
        </Clamp>
      )}
      {uses.map((use) => (
        <ToolLine key={use.id} use={use} entry={entry} />
      ))}
    </article>
  );
}

interface SeenRowProps {
  readonly entry: SaidEntry;
  readonly agent: string;
  readonly caller: Message | undefined;
}

const TONES: Readonly<Record<Message['role'], Tone>> = {
  system: 'neutral',
  user: 'info',
  assistant: 'accent',
  tool: 'neutral',
};

/** A message as an agent sees it: its role and text, with the author's name in front if that differs. */
function SeenRow({ entry, agent, caller }: SeenRowProps): ReactNode {
  const seen = useMemo(() => seenAs(agent, entry.message, caller), [agent, entry.message, caller]);
  if (seen === null) return null;
  return (
    <article className="flex min-w-0 flex-col gap-0.5">
      <header className="flex items-center gap-2">
        <Badge tone={TONES[seen.role]}>{seen.role}</Badge>
        {seen.toolName !== undefined && (
          <span className="font-mono text-sm text-muted">{visibleText(seen.toolName)}</span>
        )}
        {seen.isError === true && <Badge tone="bad">error</Badge>}
        <span className="ml-auto">
          <SeqLink entry={entry} />
        </span>
      </header>
      {seen.content !== '' && (
        <Clamp name={`${entry.key} seen`}>
          <Words run={entry.run} seq={entry.seq} text={seen.content} isPlain />
        </Clamp>
      )}
      {(seen.toolCalls ?? []).map((call) => (
        <div key={call.id} className="border-l-2 border-line pl-2 text-sm">
          <span className="font-mono">{visibleText(call.name)}</span>
          <Clamp name={`${entry.key} ${call.id} given`}>
            <JsonView value={call.arguments} />
          </Clamp>
        </div>
      ))}
    </article>
  );
}

interface EntryRowProps {
  readonly row: Row;
  /** The agent through whose eyes it is read. */
  readonly as: string | null;
}

/** A row of any kind, below the heading of its step. */
export const EntryRow = memo(function EntryRow({ row, as }: EntryRowProps): ReactNode {
  const { entry, step, caller } = row;
  return (
    <>
      {step !== null && (
        <p className="mb-1.5 flex items-center gap-2 pt-1 text-xs text-muted">
          <span className="truncate font-medium">{visibleText(step)}</span>
          <span className="h-px flex-1 bg-line" aria-hidden />
        </p>
      )}
      {entry.kind === 'activity' && <ActivityRow entry={entry} />}
      {entry.kind === 'note' && <NoteRow entry={entry} />}
      {entry.kind === 'said' &&
        (as === null ? <SaidRow entry={entry} /> : <SeenRow entry={entry} agent={as} caller={caller} />)}
    </>
  );
});

/** The words an agent is saying now; its record takes their place when it is there. */
export function LiveRow({ name }: { readonly name: string }): ReactNode {
  const words = useTree((tree) => tree.words.get(name) ?? null);
  if (words === null) return null;
  return (
    <article className="flex flex-col gap-0.5">
      <header className="flex items-center gap-2">
        <AgentName agent={words.agent} />
        <span className="text-sm text-muted">is saying</span>
      </header>
      <LiveText text={words.text} />
    </article>
  );
}

/** Not shaped as markdown before it is whole: half a list would jump about. */
export function LiveText({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="whitespace-pre-wrap wrap-anywhere">
      {visibleText(text.slice(-LONGEST))}
      <span aria-hidden className="ml-px inline-block h-3.5 w-1.5 translate-y-0.5 animate-pulse bg-accent" />
    </p>
  );
}

const LONGEST = 20_000;
