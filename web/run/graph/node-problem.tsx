import { TriangleAlert } from 'lucide-react';
import { createContext, useContext, type ReactNode } from 'react';
import type { GraphNode } from '../../../src/protocol/web/graph-view.ts';
import type { PlacedProblem } from '../../../src/protocol/web/workflow-page.ts';
import { visibleText } from '../../ui/visible-text.ts';

/** By state; those of a file that is looked at, not of a run. */
export const ProblemsContext = createContext<ReadonlyMap<string, readonly PlacedProblem[]>>(new Map());

/** A sign at a node whose state has problems; the sentences when pointed at. */
export function NodeProblem({ node }: { readonly node: GraphNode }): ReactNode {
  const byState = useContext(ProblemsContext);
  const problems = node.run !== null ? [] : node.states.flatMap((state) => byState.get(state) ?? []);
  if (problems.length === 0) return null;
  const isError = problems.some(({ severity }) => severity === 'error');
  const text = problems.map(({ message }) => visibleText(message)).join('\n');
  return (
    <span
      className={`graph-problem ${isError ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn'}`}
      title={text}
      role="img"
      aria-label={`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}: ${text}`}
    >
      <TriangleAlert size={11} aria-hidden /> {problems.length}
    </span>
  );
}
