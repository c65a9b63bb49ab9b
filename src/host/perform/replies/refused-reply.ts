import type { Activity } from '../../../core/record/agent-fact.ts';
import type { ToolCall } from '../../../core/model/message.ts';
import type { TakenReply } from '../../desk/port.ts';

/** A structured reply that the desk refused, for the journal: otherwise only the client would know (L2). */
export function refusedReply(handed: ToolCall, { text, isReturned }: TakenReply, id: string): Activity {
  const input = JSON.stringify(handed.arguments);
  return {
    id: `refused-${id}`,
    kind: 'notice',
    name: handed.name,
    status: 'denied',
    text: text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}…`.toWellFormed(),
    // A longer one is no real reply, except for a judgement that only has to be corrected.
    ...(input.length <= MOST_CHARS || isReturned === true ? { handed: handed.arguments } : {}),
    ...(isReturned === true ? { isReturned } : {}),
  };
}

const MOST_CHARS = 8000;
