import { Link } from '@tanstack/react-router';
import { GitFork } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { forkedAt } from '../../model/fork-points.ts';
import { useTree } from '../../model/use-run.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { useRunView } from './use-run-view.ts';

/** Where a run comes from, and what came of it: forks know their origin, and it knows them. */
export function RunLineage(): ReactNode {
  const forks = useRunView(useLater())?.forks ?? [];
  return (
    <>
      <ForkedFrom />
      {forks.length > 0 && (
        <span className="flex min-w-0 flex-wrap items-center gap-1 text-sm text-muted max-md:basis-full">
          {forks.length === 1 ? 'fork' : 'forks'}
          {forks.slice(0, 4).map((run) => (
            <Link key={run} to="/runs/$run" params={{ run }} className="font-mono text-accent underline">
              {visibleText(run)}
            </Link>
          ))}
          {forks.length > 4 && <span>and {forks.length - 4} more</span>}
        </span>
      )}
    </>
  );
}

/** To find the forks the server looks at every run, while there is a picture to be laid out and drawn. */
function useLater(): boolean {
  const isLoaded = useTree((tree) => tree.isLoaded);
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = isLoaded ? setTimeout(() => setLater(true), LATER_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isLoaded]);
  return isLater;
}

const LATER_MS = 1500;

function ForkedFrom(): ReactNode {
  const from = useTree((tree) => tree.runs.get(tree.root)?.snapshot.forkedFrom ?? null);
  const step = useTree(
    (tree) => {
      const root = tree.runs.get(tree.root);
      return root === undefined ? null : forkedAt(root);
    },
    (a, b) => a?.at === b?.at,
  );
  if (from === null) return null;
  const search = step === null ? {} : { state: step.visit.state, visit: step.visit.visit };
  return (
    <span className="flex min-w-0 items-center gap-1 text-sm text-muted max-md:basis-full">
      <GitFork size={13} aria-hidden />
      <span className="md:max-lg:sr-only">forked from</span>
      <Link to="/runs/$run" params={{ run: from.run }} search={search} className="font-mono text-accent underline">
        {visibleText(from.run)}
      </Link>
      <span className="truncate">at {step === null ? `record ${from.seq}` : visibleText(step.name)}</span>
    </span>
  );
}
