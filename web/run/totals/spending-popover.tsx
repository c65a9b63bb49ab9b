import { Popover } from '@base-ui/react/popover';
import { useState, type ReactElement, type ReactNode } from 'react';
import { useTree } from '../../model/use-run.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CachedTokens, Tokens } from '../../ui/tokens.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import type { SpentFigures } from '../../../src/protocol/history/history-fold.ts';
import { SpentCost } from './spent-cost.tsx';
import { spentByAgent, spentByRun, type RollUp } from './tree-totals.ts';

/** Where tokens and money went: by agent and state, or by run and agent. */
export function SpendingPopover({ trigger }: { readonly trigger: ReactElement<Record<string, unknown>> }): ReactNode {
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
  const tree = useTree(
    (one) => one,
    (a, b) => a.runs === b.runs,
  );
  const rows = by === 'agent' ? spentByAgent(tree) : spentByRun(tree);
  return (
    <Tabs label="Roll-up" tabs={TABS} value={by} onChange={setBy}>
      {rows.length === 0 ? (
        <Empty title="Nothing was spent yet" why="What models are asked is counted here, with the first answer." />
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
