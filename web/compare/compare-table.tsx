import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { totalTokens } from '../../src/core/usage.ts';
import type { RunState } from '../model/run-tree.ts';
import { Duration } from '../ui/duration.tsx';
import { Money } from '../ui/money.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import { Tokens } from '../ui/tokens.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { aligned, runFigures, type StateFigures } from './run-figures.ts';

const CELL = 'border-b border-line px-2 py-1.5 text-left align-top';

export function CompareTable({ a, b }: { readonly a: RunState; readonly b: RunState }): ReactNode {
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
            <Whole run={a} />
            <Whole run={b} />
          </tr>
          {rows.map((row) => (
            <tr key={row.state}>
              <th scope="row" className={`${CELL} font-mono text-sm font-normal`}>
                {visibleText(row.state)}
              </th>
              <Cell run={a.run} figures={row.a} />
              <Cell run={b.run} figures={row.b} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Whole({ run: { snapshot, run } }: { readonly run: RunState }): ReactNode {
  const { usage, costUsd, startedAt, at, result, workflow } = snapshot;
  return (
    <td className={CELL}>
      <Link to="/runs/$run" params={{ run }} className="text-accent hover:underline">
        {visibleText(workflow)} {run}
      </Link>
      <div className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
        <StatusMark status={result?.outcome ?? 'not over'} />
        <Duration ms={at - startedAt} />
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
