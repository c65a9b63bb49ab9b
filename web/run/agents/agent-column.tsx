import {
  Ban,
  Bot,
  ChevronRight,
  ChevronUp,
  CircleHelp,
  Clock,
  Hourglass,
  MessagesSquare,
  Pause,
  RotateCw,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { AgentNow, AgentWait } from '../../model/agents-now.ts';
import { useSelection } from '../../model/selection.ts';
import { AgentName, StatusMark, useAgentColour } from '../../ui/marks.tsx';
import { classNames, IconButton } from '../../ui/controls.tsx';
import { AgentStream } from './agent-stream.tsx';
import { MessageBox } from './message-box.tsx';
import { useNow } from '../../ui/clock.ts';
import { Money, Time, Tokens, Worked } from '../../ui/figures.tsx';
import { visibleText } from '../../ui/text.tsx';
import { runName } from '../../model/run-history.ts';
import { useTree } from '../../model/use-run.ts';
import { durationText } from '../../../src/core/look/amount-text.ts';
import { totalTokens } from '../../../src/core/model/usage.ts';
import type { SubAgentHistory } from '../../../src/protocol/history/agents.ts';
import { counted } from '../../../src/protocol/amounts.ts';

/** Its role, who plays it, and what it used so far. */
function AgentFiguresRow({
  agent: { role, player, usage, costUsd, tasks, inherited, tools, agent },
}: {
  readonly agent: AgentNow;
}): ReactNode {
  const who = [role === agent ? null : role, player === '' ? null : player].filter((word) => word !== null);
  const turns = tasks.length - inherited;
  return (
    <p className="flex min-w-0 items-center gap-2 text-xs text-muted">
      <span className="truncate" title="Role, and who plays it">
        {visibleText(who.join(' · '))}
      </span>
      {turns === 0 && inherited > 0 && <BeforeFork />}
      {turns > 0 && (
        <span className="ml-auto flex shrink-0 gap-2">
          <span className="num" title={`${turns} turns, ${tools} tool calls`}>
            {counted(turns, 'turn')}
          </span>
          {usage.calls > 0 && (
            <span>
              <Tokens count={usage.inputTokens} /> in · <Tokens count={usage.outputTokens} /> out
            </span>
          )}
          {usage.calls > 0 && <Money usd={costUsd} />}
        </span>
      )}
    </p>
  );
}

/** Says that the work and cost before the fork belong to the original run. */
function BeforeFork(): ReactNode {
  return (
    <span className="ml-auto shrink-0" title="All of its turns are of the run that this one was forked from">
      before the fork
    </span>
  );
}

interface AgentRunProps {
  readonly agent: string;
  readonly run: string;
}

/** The task of an agent's child run, if the agent's name does not say it. */
function AgentRun({ agent, run }: AgentRunProps): ReactNode {
  const name = useTree((tree) => runName(tree, run));
  if (name === '' || name === agent) return null;
  return <span className="truncate text-xs text-muted">{visibleText(name)}</span>;
}

const WAITS: Readonly<Record<AgentWait['why'], { readonly icon: typeof Clock; readonly words: string }>> = {
  person: { icon: CircleHelp, words: 'waits for your word' },
  quota: { icon: Hourglass, words: 'waits for its quota' },
  retry: { icon: RotateCw, words: 'tries again' },
  slot: { icon: Clock, words: 'waits for a free slot' },
  still: { icon: Pause, words: 'is paused with the run' },
  halted: { icon: Ban, words: 'was cut off' },
};

/** The agent's present activity with its start, or what it waits for. */
function AgentStateBadge({
  agent: { status, doing, wait, outcome, tasks, progress },
}: {
  readonly agent: AgentNow;
}): ReactNode {
  if (doing === null) return <Resting outcome={outcome} hasBegun={tasks.length > 0} isBad={status === 'bad'} />;
  return (
    <div className="flex flex-col text-sm">
      <p className="flex min-w-0 items-center gap-1.5">
        {wait === null ? <StatusMark status="running" isShort /> : <Waiting wait={wait} />}
        <span className="truncate">{visibleText(doing.state)}</span>
        <span className="ml-auto shrink-0 text-muted">
          <Worked timeAt={doing.timeAt} until={doing.until} />
        </span>
      </p>
      {progress !== null && (
        <p className="flex items-center gap-1.5 text-muted">
          <progress
            value={progress.progress}
            max={1}
            aria-label="How far it says it is"
            className="h-1 w-16 accent-(--accent)"
          />
          <span className="truncate">{visibleText(progress.message)}</span>
        </p>
      )}
    </div>
  );
}

function Resting({
  outcome,
  hasBegun,
  isBad,
}: {
  readonly outcome: string | null;
  readonly hasBegun: boolean;
  readonly isBad: boolean;
}): ReactNode {
  return (
    <p className="flex items-center gap-1.5 text-sm text-muted">
      {outcome !== null && <StatusMark status={outcome} isShort={!isBad} />}
      {hasBegun ? (isBad ? 'in its last turn' : 'idle') : 'had no turn yet'}
    </p>
  );
}

function Waiting({ wait: { why, until } }: { readonly wait: AgentWait }): ReactNode {
  const { icon: Icon, words } = WAITS[why];
  const now = useNow(until !== null);
  return (
    <span className="flex shrink-0 items-center gap-1 text-warn">
      <Icon size={13} aria-hidden />
      {words}
      {until !== null && until > now && ` in ${durationText(Math.ceil((until - now) / 1000) * 1000)}`}
    </span>
  );
}

/** Sub-agents that a client started by itself. */
function MinionList({ minions }: { readonly minions: readonly SubAgentHistory[] }): ReactNode {
  if (minions.length === 0) return null;
  return (
    <ul
      aria-label="Its sub-agents"
      className="relative max-h-24 shrink-0 overflow-y-auto border-t border-line px-3 py-1 text-sm"
    >
      {minions.map(({ key, name, status, text = '', usage, tools }) => (
        <li key={key} className="flex min-w-0 items-center gap-1.5">
          <Bot size={12} aria-hidden className="shrink-0 text-muted" />
          <StatusMark status={status === 'denied' ? 'blocked' : status} isShort />
          <span className="shrink-0 font-medium">{visibleText(name)}</span>
          <span className="truncate text-muted" title={visibleText(text)}>
            {visibleText(text)}
          </span>
          <span className="num ml-auto flex shrink-0 gap-2 text-muted">
            {tools > 0 && <span>{tools} tools</span>}
            {usage !== undefined && <Tokens count={totalTokens(usage)} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface AgentColumnProps {
  readonly agent: AgentNow;
  readonly root: string;
  readonly isChosen: boolean;
  readonly onFold: (() => void) | null;
}

/** One agent: who it is, what it does now, what it says, and what that cost. */
export function AgentColumn({ agent, root, isChosen, onFold }: AgentColumnProps): ReactNode {
  const colour = useAgentColour(agent.agent);
  return (
    <section
      aria-label={agent.agent}
      className={classNames(
        'flex min-w-0 flex-col border-r border-b border-line',
        agent.doing === null ? 'max-h-[420px]' : 'h-[420px]',
        isChosen && 'outline-2 -outline-offset-2 outline-accent',
      )}
    >
      <header
        className="flex flex-col gap-0.5 border-t-2 bg-surface px-3 py-1.5"
        style={{ borderTopColor: agent.doing === null ? 'transparent' : colour }}
      >
        <NameRow agent={agent} root={root} onFold={onFold} />
        <AgentStateBadge agent={agent} />
        <AgentFiguresRow agent={agent} />
      </header>
      <AgentStream agent={agent} />
      <MinionList minions={agent.minions} />
      {agent.doing !== null && agent.wait?.why !== 'halted' && <MessageBox run={agent.run} agent={agent.agent} />}
    </section>
  );
}

function NameRow({
  agent: { agent, context, run: of, doing },
  root,
  onFold,
}: Omit<AgentColumnProps, 'isChosen'>): ReactNode {
  const [, select] = useSelection();
  const run = of === root ? undefined : of;
  const choose = (): void => select({ agent, run, task: doing?.task, state: doing?.state });
  const read = (): void => select({ ...NOTHING, tab: 'transcript', run, agent, context });
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <button type="button" className="min-w-0 hover:underline" onClick={choose}>
        <AgentName agent={agent} />
      </button>
      <AgentRun agent={agent} run={of} />
      <span className="ml-auto flex shrink-0 items-center">
        <IconButton label={`Read the conversation of ${agent}`} onClick={read} className="size-6">
          <MessagesSquare size={13} aria-hidden />
        </IconButton>
        {onFold !== null && (
          <IconButton label={`Fold ${agent}`} onClick={onFold} className="size-6">
            <ChevronUp size={13} aria-hidden />
          </IconButton>
        )}
      </span>
    </div>
  );
}

const NOTHING = { task: undefined, state: undefined, visit: undefined, seq: undefined };

interface IdleAgentProps {
  readonly agent: AgentNow;
  readonly onOpen: () => void;
}

/** An agent without a turn, in a line. */
export function IdleAgent({ agent, onOpen }: IdleAgentProps): ReactNode {
  const { outcome, tasks, inherited, costUsd, lastAt, player, run } = agent;
  const turns = tasks.length - inherited;
  return (
    <li>
      <button
        type="button"
        aria-expanded={false}
        onClick={onOpen}
        className="flex w-full min-w-0 items-center gap-2 px-4 py-1 text-left hover:bg-hover"
      >
        <ChevronRight size={12} aria-hidden className="shrink-0 text-muted" />
        <AgentName agent={agent.agent} />
        <AgentRun agent={agent.agent} run={run} />
        <span className="truncate text-sm text-muted">{visibleText(player)}</span>
        <span className="ml-auto flex shrink-0 items-center gap-3 text-sm text-muted">
          {tasks.length === 0 ? (
            'no turn yet'
          ) : (
            <>
              {outcome !== null && <StatusMark status={outcome} isShort={outcome === 'ok'} />}
              {turns === 0 ? (
                <BeforeFork />
              ) : (
                <>
                  <span className="num max-sm:hidden">{counted(turns, 'turn')}</span>
                  <Money usd={costUsd} />
                </>
              )}
              <span className="w-16 text-right max-sm:hidden">
                <Time at={lastAt} />
              </span>
            </>
          )}
        </span>
      </button>
    </li>
  );
}
