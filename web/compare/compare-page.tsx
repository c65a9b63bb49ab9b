import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { usePageTitle } from '../shell/page-title.ts';
import { Empty } from '../ui/boxes.tsx';
import { useQuery } from '@tanstack/react-query';
import type { RunPage } from '../../src/protocol/web/run-card.ts';
import { cardWord } from '../model/run-result.ts';
import { api } from '../api/client.ts';
import { LabelledSelect } from '../ui/controls.tsx';
import { visibleText } from '../ui/text.tsx';
import { runSource } from '../api/run-source.ts';
import { RunStore } from '../model/run-store.ts';
import type { RunTree } from '../model/run-tree.ts';
import { useDriven } from '../run/use-run-card.ts';
import { totalTokens } from '../../src/core/model/usage.ts';
import { runStatusText } from '../run/run-words.ts';
import { RunTime } from '../run/totals/totals-strip.tsx';
import { treeSpent } from '../run/totals/tree-totals.ts';
import { Duration, Money, Tokens } from '../ui/figures.tsx';
import { StatusMark } from '../ui/marks.tsx';
import { aligned, runFigures, type StateFigures } from './run-figures.ts';

const CELL = 'border-b border-line px-2 py-1.5 text-left align-top';

export function CompareTable({ a, b }: { readonly a: RunTree; readonly b: RunTree }): ReactNode {
  const rows = aligned(runFigures(a), runFigures(b));
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <caption className="sr-only">The two runs by their states</caption>
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col" className={CELL}>
              State
            </th>
            <th scope="col" className={CELL}>
              Run A
            </th>
            <th scope="col" className={CELL}>
              Run B
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="font-medium">
            <th scope="row" className={CELL}>
              The whole run
            </th>
            <Whole tree={a} />
            <Whole tree={b} />
          </tr>
          {rows.map((row) => (
            <tr key={row.state}>
              <th scope="row" className={`${CELL} font-mono text-sm font-normal`}>
                {visibleText(row.state)}
              </th>
              <Cell run={a.root} figures={row.a} />
              <Cell run={b.root} figures={row.b} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Whole({ tree }: { readonly tree: RunTree }): ReactNode {
  const root = tree.runs.get(tree.root);
  if (root === undefined) return <td className={CELL}>not read</td>;
  const { run, snapshot } = root;
  const { usage, costUsd } = treeSpent(tree);
  return (
    <td className={CELL}>
      <Link to="/runs/$run" params={{ run }} className="text-accent hover:underline">
        {visibleText(snapshot.workflow)} <code>{run}</code>
      </Link>
      <div className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
        <StatusMark status={snapshot.result === null ? 'not over' : runStatusText(tree)} />
        <span>
          <RunTime tree={tree} run={root} />
        </span>
        <span>
          <Tokens count={totalTokens(usage)} /> tok
        </span>
        <Money usd={costUsd} />
      </div>
    </td>
  );
}

function Cell({ run, figures }: { readonly run: string; readonly figures: StateFigures | null }): ReactNode {
  if (figures === null) return <td className={`${CELL} text-muted`}>not entered</td>;
  const { state, visits, ms, tokens, costUsd, outcome } = figures;
  return (
    <td className={CELL}>
      <div className="flex flex-wrap items-center gap-x-3 text-sm">
        <StatusMark status={outcome ?? 'not left'} />
        <Link to="/runs/$run" params={{ run }} search={{ state }} className="hover:underline">
          {visits === 1 ? 'once' : `${visits} visits`}
        </Link>
        <Duration ms={ms} />
        {tokens > 0 && (
          <span>
            <Tokens count={tokens} /> tok
          </span>
        )}
        {tokens > 0 && <Money usd={costUsd} />}
      </div>
    </td>
  );
}

interface Props {
  readonly label: string;
  readonly run: string;
  readonly onChoose: (run: string) => void;
}

/** One of the newest runs, or the one that the address names. */
export function RunChoice({ label, run, onChoose }: Props): ReactNode {
  const { data } = useQuery({
    queryKey: ['newest runs'],
    queryFn: ({ signal }) => api.get<RunPage>('/api/runs', { limit: 100 }, { signal }),
  });
  const cards = data?.cards ?? [];
  const options = cards.map((card) => ({
    value: card.run,
    label: visibleText(`${card.title === '' ? card.run : card.title} (${card.workflow}, ${cardWord(card)})`),
  }));
  const isKnown = run === '' || cards.some((card) => card.run === run);
  return (
    <LabelledSelect
      label={label}
      value={run}
      onChange={onChoose}
      options={[{ value: '', label: 'Choose …' }, ...(isKnown ? [] : [{ value: run, label: run }]), ...options]}
    />
  );
}

/** A run with all runs below it, kept up to date. */
export function useRunTree(root: string): RunTree {
  const [store] = useState(() => new RunStore(root, runSource));
  useEffect(() => store.open(), [store]);
  useDriven(store, root);
  return useSyncExternalStore(store.subscribe, store.get);
}

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
          why="A fork and the run it came from, or the same task done by two workflows: their states are shown side by side."
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
