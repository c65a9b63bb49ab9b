import { isJsonObject } from '../../core/json.ts';
import { MESSAGE_PRIORITIES, type AgentMessage } from '../agent-message.ts';
import { generateMessageId, timestamp } from '../make-message.ts';

/** A message with everything a message has: authors leave out what they do not care about. Undefined when it is none. */
export function completeMessage(given: unknown, like?: Partial<AgentMessage>): AgentMessage | undefined {
  if (!isJsonObject(given)) return undefined;
  const message = given as unknown as Partial<AgentMessage>;
  const priority = MESSAGE_PRIORITIES.find((one) => one === message.priority) ?? 'normal';
  return {
    ...message,
    id: textOr(message.id, () => generateMessageId()),
    timestamp: textOr(message.timestamp, () => timestamp()),
    from: textOr(message.from, () => like?.from ?? 'orchestrator'),
    to: textOr(message.to, () => like?.to ?? 'orchestrator'),
    type: message.type ?? like?.type ?? 'task',
    priority,
    content: completeContent(message.content),
  };
}

function completeContent(content: Partial<AgentMessage['content']> | undefined): AgentMessage['content'] {
  return { ...content, subject: content?.subject ?? '', body: content?.body ?? '', metadata: { ...content?.metadata } };
}

function textOr(value: string | undefined, other: () => string): string {
  return typeof value === 'string' && value !== '' ? value : other();
}
