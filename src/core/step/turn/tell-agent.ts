import { trimEnded } from '../end-task.ts';
import type { RemarkSent } from '../../model/event.ts';
import type { MessageAdded } from '../../record/fact.ts';
import type { StepProgress } from '../progress.ts';
import type { Snapshot } from '../../fold/snapshot.ts';
import type { Workflow } from '../../model/workflow.ts';

/** A person sends a message to an agent. During a turn the agent reads it with its next call, else with its next turn. */
export function sendRemark(progress: StepProgress, event: RemarkSent): void {
  const { stopping, rollingBack } = progress.snapshot;
  if (stopping !== null || rollingBack !== null) return;
  const fact = remarkFact(progress.workflow, progress.snapshot, event);
  if (fact === null) return;
  progress.record(fact);
  trimEnded(progress, fact.context);
}

/** The fact that records it; null if the run has no such agent. */
export function remarkFact(
  { agents }: Pick<Workflow, 'agents'>,
  { tasks }: Pick<Snapshot, 'tasks'>,
  { agent, text, by }: RemarkSent,
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
