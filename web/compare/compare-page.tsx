import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePageTitle } from '../shell/page-title.ts';
import { Empty } from '../ui/empty.tsx';
import { CompareTable } from './compare-table.tsx';
import { RunChoice } from './run-choice.tsx';
import { useRunTree } from './use-run-tree.ts';

/** Two runs side by side: what each cost, how long it took, and how its states came out. */
export function ComparePage(): ReactNode {
  usePageTitle('Compare');
  const { a = '', b = '' } = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-4">
      <h1 className="mb-3 text-xl font-semibold">Compare two runs</h1>
      <div className="mb-4 grid gap-3 md:grid-cols-2">
        <RunChoice label="Run A" run={a} onChoose={(run) => void navigate({ search: { a: run, b } })} />
        <RunChoice label="Run B" run={b} onChoose={(run) => void navigate({ search: { a, b: run } })} />
      </div>
      {a === '' || b === '' ? (
        <Empty
          title="Choose two runs"
          why="A fork and the run it came from, or the same task done by two workflows: their states stand side by side."
        />
      ) : (
        <Both key={`${a} ${b}`} a={a} b={b} />
      )}
    </div>
  );
}

function Both({ a, b }: { readonly a: string; readonly b: string }): ReactNode {
  const one = useRunTree(a);
  const two = useRunTree(b);
  const failure = one.failure ?? two.failure;
  if (failure !== null) return <Empty title="A run cannot be read" why={failure.message} />;
  if (!one.isLoaded || !two.isLoaded) return <p className="text-muted">Reading the runs …</p>;
  return <CompareTable a={one} b={two} />;
}
