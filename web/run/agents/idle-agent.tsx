import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AgentNow } from '../../model/agents-now.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Money } from '../../ui/money.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { Time } from '../../ui/time.tsx';
import { visibleText } from '../../ui/visible-text.ts';

interface Props {
  readonly agent: AgentNow;
  readonly root: string;
  readonly onOpen: () => void;
}

/** An agent without a turn, in a line. */
export function IdleAgent({ agent, root, onOpen }: Props): ReactNode {
  const { outcome, tasks, costUsd, lastAt, player, run } = agent;
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
        {run !== root && (
          <span className="truncate font-mono text-xs text-muted">{visibleText(run.slice(root.length + 1))}</span>
        )}
        <span className="truncate text-sm text-muted">{visibleText(player)}</span>
        <span className="ml-auto flex shrink-0 items-center gap-3 text-sm text-muted">
          {tasks.length === 0 ? (
            'no turn yet'
          ) : (
            <>
              {outcome !== null && <StatusMark status={outcome} isShort={outcome === 'ok'} />}
              <span className="num max-sm:hidden">
                {tasks.length} {tasks.length === 1 ? 'turn' : 'turns'}
              </span>
              <Money usd={costUsd} />
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
