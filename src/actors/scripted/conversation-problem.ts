import type { SeenMessage } from '../../core/view.ts';

/** What real endpoints refuse a conversation for: calls and results that do not pair up. Null when nothing is wrong. */
export function conversationProblem(messages: readonly SeenMessage[]): string | null {
  if (!messages.some((message) => message.role !== 'system')) return 'The conversation has no messages.';
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      const id = message.toolCallId ?? '';
      if (!open.delete(id)) return `The tool result "${id}" answers no call of the message before it.`;
      continue;
    }
    if (open.size > 0) return `The call "${[...open].join('", "')}" has no result right after it.`;
    for (const call of message.toolCalls ?? []) open.add(call.id);
  }
  return open.size > 0 ? `The call "${[...open].join('", "')}" has no result right after it.` : null;
}
