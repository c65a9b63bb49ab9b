import type { ReactNode } from 'react';
import { useTree } from '../../model/use-run.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';

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
