import type { ActorCall } from '../../core/effect.ts';
import { Fault } from '../../core/fault.ts';
import type { ResolvedWork } from '../../core/fact.ts';
import type { Role } from '../../core/role.ts';
import type { Task, TurnProgress } from '../../core/snapshot.ts';
import type { AgentSpec } from '../../core/workflow.ts';
import type { Performance } from './performance.ts';

/** Whose turn a call belongs to. */
export interface Speaker {
  readonly agent: AgentSpec;
  readonly role: Role;
  readonly task: Task;
  readonly turn: TurnProgress;
  readonly work: Extract<ResolvedWork, { kind: 'turn' }>;
}

export function whoSpeaks({ definition, snapshot }: Performance, effect: Pick<ActorCall, 'agent' | 'task'>): Speaker {
  const agent = definition.workflow.agents.find((one) => one.name === effect.agent);
  const role = agent === undefined ? undefined : definition.roles[agent.role];
  const task = snapshot.tasks[effect.task];
  if (agent === undefined || role === undefined || task === undefined) {
    throw new Fault('INTERNAL', `Agent ${effect.agent} cannot speak: its definition or task is missing.`);
  }
  if (task.turn === null || task.work.kind !== 'turn') throw new Fault('INTERNAL', `Task ${task.id} is not a turn.`);
  return { agent, role, task, turn: task.turn, work: task.work };
}
