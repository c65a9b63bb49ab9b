import { ChevronDown } from 'lucide-react';
import { type ReactElement, type ReactNode, useState } from 'react';
import { isHalted, lastMoment, type RunNode, runTimeAt, type RunTree } from '../../model/run-tree.ts';
import { useRuns, useTree } from '../../model/use-run.ts';
import { agentOrder } from '../../model/run-history.ts';
import { classNames } from '../../ui/controls.tsx';
import { useNow } from '../../ui/clock.ts';
import { CachedTokens, Money, Tokens, Worked } from '../../ui/figures.tsx';
import { AgentName, StatusMark } from '../../ui/marks.tsx';
import { runStatusText } from '../run-words.ts';
import type { SpentFigures } from '../../../src/protocol/history/history-fold.ts';
import { type Budget, budgetsOf, type RollUp, spentByAgent, spentByRun, treeSpent } from './tree-totals.ts';
import { costText, durationText, knownCostText, shortCount } from '../../../src/core/look/amount-text.ts';
import { Popover } from '@base-ui/react/popover';
import { Empty, Tabs } from '../../ui/boxes.tsx';
import { visibleText } from '../../ui/text.tsx';
import { isAtRest } from '../../../src/core/fold/work-clock.ts';

const WORDS = { tokens: 'tokens', usd: 'cost', durationMs: 'time', iterations: 'visits of one state' } as const;

const FORMATS = {
  tokens: shortCount,
  usd: costText,
  durationMs: durationText,
  iterations: String,
} as const;

/** How much of a limit is used; the words say it too. */
export function BudgetBar({ budget: { limit, used, allowed } }: { readonly budget: Budget }): ReactNode {
  const part = used === null || allowed === 0 ? null : Math.min(1, used / allowed);
  const tone = part === null || part < 0.75 ? 'bg-accent' : part < 0.95 ? 'bg-warn' : 'bg-bad';
  const format = FORMATS[limit];
  const text = `${used === null ? 'unknown' : format(used)} of ${format(allowed)}`;
  return (
    <div className="flex shrink-0 flex-col justify-center gap-0.5">
      <span className="num text-xs whitespace-nowrap">
        <span className="text-muted">{WORDS[limit]} </span>
        {text}
      </span>
      <span
        role="meter"
        aria-label={`Limit on ${WORDS[limit]}`}
        aria-valuemin={0}
        aria-valuemax={allowed}
        aria-valuenow={Math.min(used ?? 0, allowed)}
        aria-valuetext={text}
        className="block h-1 w-24 overflow-hidden rounded-full bg-hover"
      >
        <span className={`block h-full rounded-full ${tone}`} style={{ width: `${(part ?? 0) * 100}%` }} />
      </span>
    </div>
  );
}

/** How long a run has taken. A wait or a pause grows, too, though no process drives the run. */
export function RunTime({ tree, run }: { readonly tree: RunTree; readonly run: RunNode }): ReactNode {
  const { clock } = run.snapshot;
  const isOver = clock.endedAt !== null || (isHalted(tree) && !isAtRest(clock));
  return <Worked timeAt={(at) => runTimeAt(tree, run, at)} until={isOver ? lastMoment(tree) : null} />;
}

/** The known cost, with a mark if a part is unknown. */
export function SpentCost({ spent }: { readonly spent: SpentFigures }): ReactNode {
  const { costUsd, knownCostUsd, usage } = spent;
  if (costUsd !== null || knownCostUsd === 0 || usage.calls === 0)
    return <Money usd={usage.calls === 0 ? 0 : costUsd} />;
  return (
    <span className="num whitespace-nowrap" title="At least one call had a model whose price is not known.">
      {knownCostText(spent)}
    </span>
  );
}

/** Where tokens and money went: by agent and state, or by run and agent. */
function SpendingPopover({ trigger }: { readonly trigger: ReactElement<Record<string, unknown>> }): ReactNode {
  return (
    <Popover.Root>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="start" className="z-50">
          <Popover.Popup className="max-h-[70vh] w-[min(560px,calc(100vw-16px))] overflow-y-auto rounded-md border border-line bg-raised shadow-float outline-none">
            <Popover.Title className="sr-only">Where tokens and money went</Popover.Title>
            <RollUps />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const TABS = [
  { value: 'agent', label: 'By agent' },
  { value: 'run', label: 'By run' },
] as const;

function RollUps(): ReactNode {
  const [by, setBy] = useState<'agent' | 'run'>('agent');
  const tree = useRuns();
  const rows = by === 'agent' ? spentByAgent(tree) : spentByRun(tree);
  return (
    <Tabs label="Roll-up" tabs={TABS} value={by} onChange={setBy}>
      {rows.length === 0 ? (
        <Empty title="Nothing was spent yet" why="Tokens and cost are counted here from the first answer on." />
      ) : (
        <table className="w-full text-sm">
          <thead className="text-left text-xs text-muted">
            <tr className="[&>th]:px-3 [&>th]:py-1.5 [&>th]:font-normal [&>th:not(:first-child)]:text-right">
              <th>{by === 'agent' ? 'Agent and state' : 'Run and agent'}</th>
              <th>Calls</th>
              <th>In</th>
              <th>Cache</th>
              <th>Out</th>
              <th>Cost</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Group key={row.key} row={row} isAgent={by === 'agent'} />
            ))}
          </tbody>
        </table>
      )}
    </Tabs>
  );
}

function Group({ row, isAgent }: { readonly row: RollUp; readonly isAgent: boolean }): ReactNode {
  return (
    <>
      <Line spent={row} name={<Name name={row.name} isAgent={isAgent} />} isHead />
      {row.parts.map((part) => (
        <Line key={part.key} spent={part} name={<Name name={part.name} isAgent={!isAgent} />} isHead={false} />
      ))}
    </>
  );
}

function Name({ name, isAgent }: { readonly name: string | null; readonly isAgent: boolean }): ReactNode {
  if (name === null) return 'no agent';
  return isAgent ? <AgentName agent={name} /> : visibleText(name);
}

interface LineProps {
  readonly spent: SpentFigures;
  readonly name: ReactNode;
  readonly isHead: boolean;
}

function Line({ spent, name, isHead }: LineProps): ReactNode {
  const { calls, inputTokens, outputTokens } = spent.usage;
  return (
    <tr
      className={`[&>td]:px-3 [&>td]:py-1 [&>td:not(:first-child)]:text-right ${isHead ? 'border-t border-line font-medium' : 'text-muted'}`}
    >
      <td className={isHead ? '' : 'pl-7!'}>{name}</td>
      <td className="num">{calls}</td>
      <td>
        <Tokens count={inputTokens} />
      </td>
      <td>
        <CachedTokens usage={spent.usage} />
      </td>
      <td>
        <Tokens count={outputTokens} />
      </td>
      <td>
        <SpentCost spent={spent} />
      </td>
    </tr>
  );
}

/** The totals of the whole run so far, always visible. */
export function TotalsStrip(): ReactNode {
  const root = useTree((tree) => tree.runs.get(tree.root) ?? null);
  const status = useTree(runStatusText);
  const spent = useTree(treeSpent, isSameSpent);
  const agents = useTree((tree) => agentOrder(tree).length);
  if (root === null) return null;
  return (
    <div
      role="group"
      aria-label="Totals"
      className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-5 border-b max-md:gap-x-4 border-line bg-surface px-4 py-1"
    >
      <Figure label="Status">
        <StatusMark status={status} />
      </Figure>
      <Figure label="Time">
        <TreeTime />
      </Figure>
      <Spending spent={spent} />
      <Figure label="Agents">
        <span className="num">{agents}</span>
      </Figure>
      <Budgets root={root} spent={spent} isStopped={status === 'stopped'} />
    </div>
  );
}

function TreeTime(): ReactNode {
  const tree = useTree((one) => one);
  const root = tree.runs.get(tree.root);
  return root === undefined ? null : <RunTime tree={tree} run={root} />;
}

const isSameSpent = (a: SpentFigures, b: SpentFigures): boolean =>
  a.costUsd === b.costUsd &&
  a.knownCostUsd === b.knownCostUsd &&
  a.usage.calls === b.usage.calls &&
  a.usage.inputTokens === b.usage.inputTokens &&
  a.usage.outputTokens === b.usage.outputTokens;

interface FigureProps {
  readonly label: string;
  readonly children: ReactNode;
  /** Left out where there is little room: it can be seen elsewhere. */
  readonly isSpare?: boolean;
}

function Figure({ label, children, isSpare = false }: FigureProps): ReactNode {
  return (
    <span className={classNames('flex shrink-0 flex-col items-start leading-tight', isSpare && 'max-md:hidden')}>
      <span className="text-2xs text-muted">{label}</span>
      <span className="text-base leading-[18px] font-medium">{children}</span>
    </span>
  );
}

/** Opens where it went. */
function Spending({ spent }: { readonly spent: SpentFigures }): ReactNode {
  const { inputTokens, outputTokens } = spent.usage;
  return (
    <SpendingPopover
      trigger={
        <button
          type="button"
          title="Where tokens and money went"
          className="-mx-2 flex shrink-0 items-center gap-5 rounded-md px-2 py-1 text-left hover:bg-hover max-md:gap-4"
        >
          <Figure label="Tokens in">
            <Tokens count={inputTokens} />
          </Figure>
          <Figure label="From cache" isSpare>
            <CachedTokens usage={spent.usage} />
          </Figure>
          <Figure label="Tokens out">
            <Tokens count={outputTokens} />
          </Figure>
          <Figure label="Cost">
            <SpentCost spent={spent} />
          </Figure>
          <ChevronDown size={13} aria-hidden className="text-muted" />
        </button>
      }
    />
  );
}

interface BudgetsProps {
  readonly root: RunNode;
  readonly spent: SpentFigures;
  readonly isStopped: boolean;
}

function Budgets({ root, spent, isStopped }: BudgetsProps): ReactNode {
  const { snapshot } = root;
  const clock = useNow(snapshot.limits.durationMs !== undefined && snapshot.status === 'running' && !isStopped);
  const now = isStopped ? snapshot.at : clock;
  return budgetsOf(snapshot, spent, now).map((budget) => <BudgetBar key={budget.limit} budget={budget} />);
}
