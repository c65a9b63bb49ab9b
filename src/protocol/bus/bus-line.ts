import type { BusSent, HandoffMade } from '../../core/record/artifact-fact.ts';
import { isoTime, type RunRecord } from '../history/run-record.ts';
import type { BusLine, HandoffLine, MessageLine } from '../operations/answers/bus.ts';

export type { BusLine, HandoffLine } from '../operations/answers/bus.ts';

/** Turns each handoff and each message into one line, in the order of the records. */
export class BusLines {
  readonly #seen = new Set<string>();

  /** Null for other records and for repeated ones: a fork repeats the messages of its origin. */
  lineOf({ run, record }: RunRecord): BusLine | null {
    const { fact, seq, at } = record;
    if (fact.kind !== 'handoff.made' && fact.kind !== 'bus.sent') return null;
    const line = { ...wordsOf(fact), timestamp: isoTime(at), run, record: seq, task: fact.task };
    const key = `${line.id} ${at}`;
    if (this.#seen.has(key)) return null;
    this.#seen.add(key);
    return line;
  }
}

type Words =
  | Omit<HandoffLine, 'timestamp' | 'run' | 'record' | 'task'>
  | Omit<MessageLine, 'timestamp' | 'run' | 'record' | 'task'>;

function wordsOf(fact: HandoffMade | BusSent): Words {
  if (fact.kind === 'bus.sent') {
    const { id, type, sender, receiver, payload, correlationId } = fact.message;
    return { kind: 'message', id, type, sender, receiver, payload, correlation_id: correlationId };
  }
  const { id, from, to, artifacts, ids, context, instructions, successCriteria, correlationId } = fact.handoff;
  return {
    kind: 'handoff',
    id,
    from_agent: from,
    to_agent: to,
    artifacts,
    artifact_ids: ids,
    context,
    instructions,
    success_criteria: successCriteria,
    correlation_id: correlationId,
  };
}
