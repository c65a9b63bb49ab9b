import type { Activity } from '../../../core/record/agent-fact.ts';
import type { ToolCall } from '../../../core/model/message.ts';
import type { TakenReply } from '../../desk/port.ts';

/** A structured reply that was not taken at the desk, for the journal: the client alone would have heard of it (L2). */
export function refusedReply(handed: ToolCall, { text, isReturned }: TakenReply, id: string): Activity {
  const input = JSON.stringify(handed.arguments);
  return {
    id: `refused-${id}`,
    kind: 'notice',
    name: handed.name,
    status: 'denied',
    text: text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}…`.toWellFormed(),
    // Whoever hands in more than this means no reply, except for a judgement that only has to be corrected.
    ...(input.length <= MOST_CHARS || isReturned === true ? { handed: handed.arguments } : {}),
    ...(isReturned === true ? { isReturned } : {}),
  };
}

const MOST_CHARS = 8000;
