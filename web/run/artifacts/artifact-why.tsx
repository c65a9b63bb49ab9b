import { Check, CircleDashed, X } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { costText } from '../../../src/core/amount-text.ts';
import type { ArtifactView } from '../../../src/protocol/artifacts/artifact-view.ts';
import { isWhy, type WhyView } from '../../../src/protocol/artifacts/why-view.ts';
import { useRunStore } from '../../model/use-run.ts';
import { useSelection } from '../../model/selection.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { whyOf } from './tree-artifacts.ts';

/** Where it comes from: who made it in which calls, what was checked, and what it was made from. */
export function ArtifactWhy({ artifact }: { readonly artifact: ArtifactView }): ReactNode {
  const store = useRunStore();
  const [isOpen, setOpen] = useState(false);
  const why = useMemo(() => (isOpen ? whyOf(store.get(), artifact) : null), [store, artifact, isOpen]);
  return (
    <details className="border-t border-line px-4 py-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-default font-medium">Where it comes from</summary>
      {why !== null && <Origin why={why} />}
    </details>
  );
}

function callsText(calls: WhyView['made']['calls']): string {
  const failed = calls.filter((call) => call.failed).length;
  const answered = calls.length - failed;
  return `${answered} model ${answered === 1 ? 'call' : 'calls'}${failed === 0 ? '' : ` +${failed} failed`}`;
}

function Origin({ why }: { readonly why: WhyView }): ReactNode {
  const [, select] = useSelection();
  const { made, evidence, from } = why;
  const cost = made.calls.reduce<number | null>(
    (sum, call) => (sum === null || call.cost_usd === null ? null : sum + call.cost_usd),
    0,
  );
  return (
    <div className="flex flex-col gap-1 pt-1.5 text-sm">
      <p className="flex flex-wrap items-center gap-1.5">
        <AgentName agent={made.agent} />
        <span className="text-muted">
          in {visibleText(made.phase)}
          {made.tool !== null && ` with ${made.tool}`}
          {`, ${callsText(made.calls)}, ${costText(cost)}`}
        </span>
      </p>
      <Checked evidence={evidence} />
      {from.length > 0 && <p className="pt-1 text-muted">Made from</p>}
      <ul className="flex flex-col gap-1 border-l-2 border-line pl-3">
        {from.map((one) => (
          <li key={isWhy(one) ? one.artifact.id : one.id}>
            <button
              type="button"
              className="text-accent underline"
              onClick={() => select({ artifact: isWhy(one) ? one.artifact.id : one.id })}
            >
              {visibleText(isWhy(one) ? one.artifact.path : (one.path ?? one.id))}
            </button>
            {isWhy(one) ? (
              <Origin why={one} />
            ) : (
              <span className="text-muted"> {one.why === 'told' ? '(told above)' : '(no record tells of it)'}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Checked({ evidence }: Pick<WhyView, 'evidence'>): ReactNode {
  return (
    <ul>
      {evidence.map(({ text, checked, held, why: reason }) => {
        const Icon = !checked ? CircleDashed : held === false ? X : Check;
        return (
          <li
            key={text}
            className={`flex items-start gap-1.5 ${!checked ? 'text-muted' : held === false ? 'text-bad' : ''}`}
          >
            <Icon
              size={12}
              aria-label={!checked ? 'not checked' : held === false ? 'did not hold' : 'held'}
              className="mt-1 shrink-0"
            />
            <span>
              {visibleText(text)}
              {reason !== undefined && <span className="text-muted"> ({visibleText(reason)})</span>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
