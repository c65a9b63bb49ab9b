import type { BusSent } from '../../core/artifact-fact.ts';
import type { TaskId } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import type { AgentMessage, Decision } from '../../stages/stages.ts';

/** One decision, and the execution of a stage that it is about. */
export interface Occasion {
  readonly run: string;
  readonly task: TaskId;
  readonly execution: string;
}

/** What was put on the bus: the messages, and what went wrong, which is for the person. */
export function busNotes({ sent, noted }: Decision, { run, task, execution }: Occasion): readonly BusSent[] {
  const correlationId = `${run}/${execution}`;
  const messages = withoutPassedOn(sent).map((message): BusSent => {
    const { id, type, from, to, priority, content } = message;
    const payload = { priority, ...content } as unknown as Json;
    return { kind: 'bus.sent', task, message: { id, type, sender: from, receiver: to, payload, correlationId } };
  });
  const errors = noted.map(({ stage, agent, code, message, recoverable }, at): BusSent => {
    const payload = {
      error_type: code,
      message,
      stage,
      can_retry: recoverable,
      ...(agent === undefined ? {} : { agent }),
    };
    const id = `${run}/${task}/error-${at + 1}`;
    return {
      kind: 'bus.sent',
      task,
      message: { id, type: 'error', sender: 'orchestrator', receiver: 'person', payload, correlationId },
    };
  });
  return [...messages, ...errors];
}

/** A reply that was passed on is told by whom it reached. */
function withoutPassedOn(sent: readonly AgentMessage[]): readonly AgentMessage[] {
  return sent.filter(
    (message, at) =>
      message.to !== 'orchestrator' || !sent.some((other, later) => later > at && other.id === message.id),
  );
}
