import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { openQuestions } from '../../../src/core/open-questions.ts';
import type { DebateView } from '../../../src/protocol/review/debate-view.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { SeverityMark } from './severity-mark.tsx';

/** What nobody but the person can settle: while the run asks, the points that are open. */
export function OpenPoints({ debate }: { readonly debate: DebateView }): ReactNode {
  const [, select] = useSelection();
  const isAsked = useTree((tree) => {
    const run = tree.runs.get(debate.run);
    return run !== undefined && openQuestions(run.snapshot).some(({ kind }) => kind === 'ask');
  });
  const open = debate.findings.filter(({ id }) => debate.open.includes(id));
  if (open.length === 0 && !isAsked) return null;
  return (
    <section aria-label="Open points" className="flex flex-col gap-1 border-b border-line bg-warn-soft px-4 py-2">
      <p className="flex items-center gap-1.5 font-medium text-warn">
        <CircleHelp size={14} aria-hidden />
        {isAsked ? 'Your word is wanted: the question stands above.' : 'Not settled'}
        {open.length > 0 && ` ${open.length} ${open.length === 1 ? 'point is' : 'points are'} open.`}
      </p>
      <ul>
        {open.map(({ id, severity, claim, implementation }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => select({ finding: id })}
              className="flex w-full min-w-0 items-center gap-2 rounded-sm text-left hover:underline"
            >
              <span className="font-mono text-sm">{id}</span>
              <SeverityMark severity={severity} />
              <span className="shrink-0 text-muted">{visibleText(implementation ?? 'all')}</span>
              <span className="truncate">{visibleText(claim)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
