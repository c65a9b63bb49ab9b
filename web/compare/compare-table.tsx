import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { totalTokens } from '../../src/core/usage.ts';
import type { RunTree } from '../model/run-tree.ts';
import { runStatusText } from '../run/run-words.ts';
import { RunTime } from '../run/totals/run-time.tsx';
import { treeSpent } from '../run/totals/tree-totals.ts';
import { Duration } from '../ui/duration.tsx';
import { Money } from '../ui/money.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import { Tokens } from '../ui/tokens.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { aligned, runFigures, type StateFigures } from './run-figures.ts';

const CELL = 'border-b border-line px-2 py-1.5 text-left align-top';

export function CompareTable({ a, b }: { readonly a: RunTree; readonly b: RunTree }): ReactNode {
  const rows = aligned(figuresOf(a), figuresOf(b));
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

function figuresOf(tree: RunTree): readonly StateFigures[] {
  const root = tree.runs.get(tree.root);
  return root === undefined ? [] : runFigures(root);
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
