import type { ReactNode } from 'react';
import type { AgentNow } from '../../model/agents-now.ts';
import { Money } from '../../ui/money.tsx';
import { Tokens } from '../../ui/tokens.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** Its role, who plays it, and what it used so far. */
export function AgentFigures({
  agent: { role, player, usage, costUsd, tasks, tools, agent },
}: {
  readonly agent: AgentNow;
}): ReactNode {
  const who = [role === agent ? null : role, player === '' ? null : player].filter((word) => word !== null);
  return (
    <p className="flex min-w-0 items-center gap-2 text-xs text-muted">
      <span className="truncate" title="Role, and who plays it">
        {visibleText(who.join(' · '))}
      </span>
      {tasks.length > 0 && (
        <span className="ml-auto flex shrink-0 gap-2">
          <span className="num" title={`${tasks.length} turns, ${tools} tool calls`}>
            {tasks.length} {tasks.length === 1 ? 'turn' : 'turns'}
          </span>
          <span>
            <Tokens count={usage.inputTokens} /> in · <Tokens count={usage.outputTokens} /> out
          </span>
          <Money usd={costUsd} />
        </span>
      )}
    </p>
  );
}
