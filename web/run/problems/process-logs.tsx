import { historyOf } from '../../model/run-history.ts';
import type { ReactNode } from 'react';
import { useTree } from '../../model/use-run.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { TaskLogs } from './task-logs.tsx';

interface ClientTurns {
  readonly run: string;
  readonly agent: string;
  readonly actor: string;
  readonly tasks: readonly string[];
}

/** Agents that are programs of their own, with what each turn of theirs printed: always to be had, also where nothing failed. */
export function ProcessLogs(): ReactNode {
  const clients = useTree(
    (tree) =>
      [...tree.runs.values()].flatMap((run) =>
        historyOf(run).agents.flatMap(({ agent, actor, tasks }): readonly ClientTurns[] =>
          actor === null ? [] : [{ run: run.run, agent, actor, tasks }],
        ),
      ),
    (a, b) => a.length === b.length && a.every(({ tasks }, place) => tasks === b[place]?.tasks),
  );
  if (clients.length === 0) return null;
  return (
    <section aria-label="Processes of agents">
      <h2 className="px-4 pt-3 pb-1 text-xs font-medium text-muted">What the processes of agents printed</h2>
      <ul>
        {clients.map(({ run, agent, actor, tasks }) => (
          <li key={`${run} ${agent}`} className="border-b border-line px-4 py-1.5">
            <p className="flex items-center gap-2">
              <AgentName agent={agent} /> <span className="text-sm text-muted">{visibleText(actor)}</span>
            </p>
            {tasks.map((task) => (
              <TaskLogs key={task} run={run} task={task} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
