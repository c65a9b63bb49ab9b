import type { ReactNode } from 'react';
import { runName } from '../../model/run-name.ts';
import { useTree } from '../../model/use-run.ts';
import { visibleText } from '../../ui/visible-text.ts';

interface Props {
  readonly agent: string;
  readonly run: string;
}

/** What the run below does that an agent works in, where the agent's own name does not say it. */
export function AgentRun({ agent, run }: Props): ReactNode {
  const name = useTree((tree) => runName(tree, run));
  if (name === '' || name === agent) return null;
  return <span className="truncate text-xs text-muted">{visibleText(name)}</span>;
}
