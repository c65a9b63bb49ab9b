import { trimEnded } from '../end-task.ts';
import type { AgentTold } from '../../model/event.ts';
import type { MessageAdded } from '../../record/fact.ts';
import type { StepProgress } from '../progress.ts';
import type { Snapshot } from '../../fold/snapshot.ts';
import type { Workflow } from '../../model/workflow.ts';

/** A person says something to an agent. Where it is at work it hears it with its next call, else with its next turn. */
export function agentTold(progress: StepProgress, event: AgentTold): void {
  const { stopping, rollingBack } = progress.snapshot;
  if (stopping !== null || rollingBack !== null) return;
  const fact = toldFact(progress.workflow, progress.snapshot, event);
  if (fact === null) return;
  progress.record(fact);
  trimEnded(progress, fact.context);
}

/** What is written down of it; null where the run has no such agent. */
export function toldFact(
  { agents }: Pick<Workflow, 'agents'>,
  { tasks }: Pick<Snapshot, 'tasks'>,
  { agent, text, by }: AgentTold,
): MessageAdded | null {
  const spec = agents.find(({ name }) => name === agent);
  if (spec === undefined) return null;
  const task = Object.values(tasks).findLast(({ work }) => work.kind === 'turn' && work.agent === agent);
  const context = task?.work.kind === 'turn' ? task.work.context : spec.context;
  return {
    kind: 'message.added',
    context,
    message: { author: 'person', to: agent, role: 'user', content: text },
    by,
    ...(task === undefined ? {} : { task: task.id }),
  };
}
