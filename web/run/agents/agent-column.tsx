import { ChevronUp, MessagesSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AgentNow } from '../../model/agents-now.ts';
import { useSelection } from '../../model/selection.ts';
import { AgentName, useAgentColour } from '../../ui/agent-name.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { AgentFiguresRow } from './agent-figures.tsx';
import { AgentRun } from './agent-run.tsx';
import { AgentStateBadge } from './agent-state.tsx';
import { AgentStream } from './agent-stream.tsx';
import { MinionList } from './minion-list.tsx';

interface Props {
  readonly agent: AgentNow;
  readonly root: string;
  readonly isChosen: boolean;
  readonly onFold: (() => void) | null;
}

/** One agent: who it is, what it does now, what it says, and what that cost. */
export function AgentColumn({ agent, root, isChosen, onFold }: Props): ReactNode {
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
    </section>
  );
}

function NameRow({ agent: { agent, context, run: of, doing }, root, onFold }: Omit<Props, 'isChosen'>): ReactNode {
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
