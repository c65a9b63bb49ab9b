import type { ReactNode } from 'react';
import type { AgentNow } from '../../model/agents-now.ts';
import { Money } from '../../ui/money.tsx';
import { Tokens } from '../../ui/tokens.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** Its role, who plays it, and what it used so far. */
export function AgentFiguresRow({
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
            {turns} {turns === 1 ? 'turn' : 'turns'}
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

/** What it did is the other run's, and so is what that cost. */
export function BeforeFork(): ReactNode {
  return (
    <span className="ml-auto shrink-0" title="All of its turns are of the run that this one was forked from">
      before the fork
    </span>
  );
}
