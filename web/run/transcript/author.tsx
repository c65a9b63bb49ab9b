import { ArrowRight, Settings2, User, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Message } from '../../../src/core/message.ts';
import { authorKind, type AuthorKind } from '../../model/author-kind.ts';
import { useTree } from '../../model/use-run.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** Who speaks, and to whom where it is said to one. */
export function Author({
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

const LOOKS: Readonly<Record<Exclude<AuthorKind, 'agent'>, { readonly icon: typeof User; readonly who: string }>> = {
  engine: { icon: Settings2, who: 'the engine' },
  workflow: { icon: Workflow, who: 'the workflow' },
  person: { icon: User, who: 'a person' },
};

function Other({ name, kind }: { readonly name: string; readonly kind: keyof typeof LOOKS }): ReactNode {
  const { icon: Icon, who } = LOOKS[kind];
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 font-medium text-muted" title={who}>
      <Icon size={12} role="img" aria-label={who} className="shrink-0" />
      <span className="truncate">{visibleText(name)}</span>
    </span>
  );
}
