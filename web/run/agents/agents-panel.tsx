import { historyOf } from '../../model/run-history.ts';
import { useMemo, type ReactNode } from 'react';
import { agentsRun } from '../../../src/core/model/workspace-name.ts';
import { openQuestions } from '../../../src/core/look/open-questions.ts';
import { agentsNow, type AgentNow } from '../../model/agents-now.ts';
import { liveRunsOf, type RunTree } from '../../model/run-tree.ts';
import { useSelection } from '../../model/selection.ts';
import { useRuns } from '../../model/use-run.ts';
import { Empty, ScrollBox } from '../../ui/boxes.tsx';
import { OpenRowsContext, useOpenRows } from '../transcript/open-rows.ts';
import { AgentColumn, IdleAgent } from './agent-column.tsx';

/** A column with live text for each working agent; the others are in one line. */
export function AgentsPanel(): ReactNode {
  const tree = useRuns();
  const agents = useMemo(() => agentsNow(tree), [tree]);
  const open = useOpenRows();
  const [selection] = useSelection();
  if (agents.length === 0)
    return <Empty title="No agents yet" why="They are shown here when the first one has its turn." />;
  const isOver = tree.runs.get(tree.root)?.snapshot.status === 'settled';
  const resting = restingShown(tree, agents);
  const chosenIn = tree.runs.get(selection.run ?? tree.root);
  const isChosen = (agent: AgentNow): boolean =>
    agent.agent === selection.agent && chosenIn !== undefined && agent.of === agentsRun(chosenIn.snapshot);
  const isShown = (agent: AgentNow): boolean => resting.has(agent.key) || isChosen(agent);
  const isFolded = (agent: AgentNow): boolean => agent.doing === null && open.isOpen(agent.key) === isShown(agent);
  const shown = agents.filter((agent) => !isFolded(agent)).toSorted((a, b) => a.firstAt - b.firstAt);
  const folded = agents.filter(isFolded);
  return (
    <OpenRowsContext value={open}>
      <ScrollBox className="min-h-0 flex-1 overflow-y-auto" label="Agents">
        {shown.length > 0 && (
          <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,270px),1fr))] ">
            {shown.map((agent) => (
              <AgentColumn
                key={agent.key}
                agent={agent}
                root={tree.root}
                isChosen={isChosen(agent)}
                onFold={agent.doing === null ? () => open.toggle(agent.key) : null}
              />
            ))}
          </div>
        )}
        {folded.length > 0 && (
          <p className="px-4 pt-3 pb-1 text-xs font-medium text-muted">{isOver ? 'Took part' : 'Not at work now'}</p>
        )}
        <ul>
          {folded.map((agent) => (
            <IdleAgent key={agent.key} agent={agent} onOpen={() => open.toggle(agent.key)} />
          ))}
        </ul>
      </ScrollBox>
    </OpenRowsContext>
  );
}

const SHOWN_AT_REST = 6;

/** Those of the present step stay until it is over; while nothing moves, those who worked last are worth a look. */
function restingShown(tree: RunTree, agents: readonly AgentNow[]): ReadonlySet<string> {
  const isWaiting = liveRunsOf(tree).some(({ snapshot }) => openQuestions(snapshot).length > 0);
  const isOver = tree.runs.get(tree.root)?.snapshot.status === 'settled';
  const isStill = isOver || (isWaiting && agents.every(({ doing }) => doing === null));
  const begun = agents.filter(({ tasks }) => tasks.length > 0).toSorted((a, b) => b.lastAt - a.lastAt);
  const shown = isStill ? begun.slice(0, SHOWN_AT_REST) : begun.filter((agent) => isOfThisStep(tree, agent));
  return new Set(shown.map(({ key }) => key));
}

function isOfThisStep(tree: RunTree, { of, tasks }: AgentNow): boolean {
  const run = tree.runs.get(of);
  const step = run === undefined || run.snapshot.status === 'settled' ? null : historyOf(run).visits.current;
  return step?.tasks.includes(tasks.at(-1) ?? '') === true;
}
