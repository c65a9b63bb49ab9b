import { ArrowRight, Settings2, User, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Message } from '../../../src/core/message.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';

const OTHERS: Readonly<Record<string, typeof User>> = { workflow: Workflow, system: Settings2, person: User };

/** Who speaks, and to whom where it is said to one. */
export function Author({
  message: { author, to, role },
}: {
  readonly message: Pick<Message, 'author' | 'to' | 'role'>;
}): ReactNode {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <Name name={author} isPerson={role === 'user'} />
      {to !== undefined && (
        <>
          <ArrowRight size={12} aria-label="to" className="shrink-0 text-muted" />
          <Name name={to} isPerson={false} />
        </>
      )}
    </span>
  );
}

function Name({ name, isPerson }: { readonly name: string; readonly isPerson: boolean }): ReactNode {
  const Icon = OTHERS[name] ?? (isPerson ? User : null);
  if (Icon === null) return <AgentName agent={name} />;
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 font-medium text-muted">
      <Icon size={12} aria-hidden className="shrink-0" />
      <span className="truncate">{visibleText(name)}</span>
    </span>
  );
}
