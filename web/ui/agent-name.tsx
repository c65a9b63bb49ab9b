import { useContext, useSyncExternalStore, type ReactNode } from 'react';
import { agentColour, agentOrder } from '../model/agent-hue.ts';
import { RunStoreContext } from '../model/use-run.ts';
import { visibleText } from './visible-text.ts';

/** The colour an agent has in this run, for whatever shows it; quiet where no run is open. */
export function useAgentColour(agent: string): string {
  const store = useContext(RunStoreContext);
  return useSyncExternalStore(store?.subscribe ?? never, () =>
    store === null ? 'var(--muted)' : agentColour(agentOrder(store.get()), agent),
  );
}

const never = (): (() => void) => () => undefined;

export function AgentName({ agent }: { readonly agent: string }): ReactNode {
  const colour = useAgentColour(agent);
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 font-medium" style={{ color: colour }}>
      <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: colour }} />
      <span className="truncate">{visibleText(agent)}</span>
    </span>
  );
}
