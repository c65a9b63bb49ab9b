import { Bot } from 'lucide-react';
import type { ReactNode } from 'react';
import { totalTokens } from '../../../src/core/usage.ts';
import type { SubAgentHistory } from '../../../src/protocol/history/agents.ts';
import { StatusMark } from '../../ui/status-mark.tsx';
import { Tokens } from '../../ui/tokens.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** Sub-agents that a client started by itself. */
export function MinionList({ minions }: { readonly minions: readonly SubAgentHistory[] }): ReactNode {
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
