import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AgentNow } from '../../model/agents-now.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Money } from '../../ui/money.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { Time } from '../../ui/time.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { BeforeFork } from './agent-figures.tsx';
import { AgentRun } from './agent-run.tsx';

interface Props {
  readonly agent: AgentNow;
  readonly onOpen: () => void;
}

/** An agent without a turn, in a line. */
export function IdleAgent({ agent, onOpen }: Props): ReactNode {
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
                  <span className="num max-sm:hidden">
                    {turns} {turns === 1 ? 'turn' : 'turns'}
                  </span>
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
