import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RunNode } from '../../model/run-tree.ts';
import { useTree } from '../../model/use-run.ts';
import { agentOrder } from '../../model/agent-hue.ts';
import { classNames } from '../../ui/class-names.ts';
import { useNow } from '../../ui/clock.ts';
import { StatusMark } from '../../ui/status-mark.tsx';
import { CachedTokens, Tokens } from '../../ui/tokens.tsx';
import { runStatusText } from '../run-words.ts';
import { BudgetBar } from './budget-bar.tsx';
import { RunTime } from './run-time.tsx';
import type { SpentFigures } from '../../../src/protocol/history/history-fold.ts';
import { SpendingPopover } from './spending-popover.tsx';
import { SpentCost } from './spent-cost.tsx';
import { budgetsOf, treeSpent } from './tree-totals.ts';

/** What the whole run has taken so far, always in sight. */
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
