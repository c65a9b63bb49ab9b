import { isJsonObject } from '../../../core/model/json.ts';
import { type AgentMessage, generateMessageId, MESSAGE_PRIORITIES, timestamp } from './agent-message.ts';

/** Completes a message: authors may omit fields. Undefined if it is no message. */
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
