import { toArray } from '../model/append-list.ts';
import { childRunId, taskId, type RunId, type TaskId } from '../model/ids.ts';
import type { ResolvedWork } from '../record/task-fact.ts';
import type { Snapshot } from './snapshot.ts';

/** The tool with which an agent starts a sub-agent (Q8). */
export const SUB_AGENT_TOOL = 'task';

export interface OpenChild {
  readonly task: TaskId;
  /** The tool call that a sub-agent answers. */
  readonly toolCall?: string;
  /** Its name within the run: the task that calls it, or the tool call. */
  readonly id: TaskId;
  readonly run: RunId;
}

/** The child runs in progress: called workflows, turns that run apart, and sub-agents of its agents. */
export function openChildren(snapshot: Snapshot): readonly OpenChild[] {
  const { run, tasks } = snapshot;
  return Object.values(tasks).flatMap(({ id, work, turn }): readonly OpenChild[] => {
    if (isRunBelow(work)) return [{ id, task: id, run: childRunId(run, id) }];
    const calls = turn?.openTools.filter(
      ({ name, id: call }) => name === SUB_AGENT_TOOL && !turn.asking.includes(call),
    );
    return (calls ?? []).map((call) => {
      const own = subAgentTask(snapshot, id, call.id);
      return { id: own, task: id, toolCall: call.id, run: childRunId(run, own) };
    });
  });
}

/** A run below does the work: a called workflow, or a turn that another worker may take. */
export const isRunBelow = (work: ResolvedWork): boolean =>
  work.kind === 'call' || (work.kind === 'turn' && work.apart === true);

/** The same for the same call on every replay, whatever ids a model gives its calls; different after a rollback. */
export function subAgentTask({ tasks, rewinds }: Snapshot, task: TaskId, toolCall: string): TaskId {
  const turn = tasks[task]?.turn ?? null;
  const said = turn === null ? [] : toArray(turn.messages);
  const calls = said.findLast(({ toolCalls }) => toolCalls !== undefined)?.toolCalls ?? [];
  return subAgentId({ task, call: turn?.call ?? 0, index: calls.findIndex(({ id }) => id === toolCall), rewinds });
}

/** Which call of which answer it was. */
export interface SubAgentPlace {
  readonly task: TaskId;
  readonly call: number;
  readonly index: number;
  /** How often the run had been rolled back by then. */
  readonly rewinds: number;
}

export const subAgentId = ({ task, call, index, rewinds }: SubAgentPlace): TaskId =>
  taskId(`${task}-${call}.${index}${rewinds === 0 ? '' : `.r${rewinds}`}`);

/** The task whose work a child run does: the call itself, or the turn in which a sub-agent was started. */
export const parentTask = (id: string): TaskId => taskId(id.replace(/-\d+\.\d+(?:\.r\d+)?$/, ''));
