import type { ReactNode } from 'react';
import { visibleText } from '../../ui/visible-text.ts';
import type { RunFinding } from './findings-of.ts';
import { useShowFinding } from './use-show-finding.ts';

/** What reviewers hold against something that is not among the changed files. */
export function FindingsElsewhere({ findings }: { readonly findings: readonly RunFinding[] }): ReactNode {
  const show = useShowFinding();
  if (findings.length === 0) return null;
  return (
    <p className="shrink-0 border-b border-line px-3 py-1 text-sm text-muted">
      {findings.length === 1 ? 'One finding is' : `${findings.length} findings are`} about no file shown here:{' '}
      {findings.slice(0, 8).map((one) => (
        <button
          key={`${one.run} ${one.finding.id}`}
          type="button"
          className="mr-1.5 font-mono text-accent underline"
          onClick={() => show(one)}
        >
          {visibleText(one.finding.id)}
        </button>
      ))}
    </p>
  );
}
