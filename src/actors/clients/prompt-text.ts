import { unreachable } from '../../core/model/fault.ts';
import type { Role } from '../../core/model/role.ts';
import type { SeenMessage } from '../../core/look/view.ts';

/**
 * The messages that are new to a client's conversation as one user message: it takes no other. Its own messages from another
 * conversation are marked as such, so that a new one can continue from there.
 */
export function promptText(unheard: readonly SeenMessage[]): string {
  const parts = unheard.map(partOf).filter((part) => part !== '');
  return parts.length === 0 ? 'Go on.' : parts.join('\n\n');
}

function partOf(message: SeenMessage): string {
  const { content } = message;
  switch (message.role) {
    case 'user':
      return content;
    case 'system':
      return content === '' ? '' : `[system] ${content}`;
    case 'assistant':
      return ownWords(message);
    case 'tool':
      return `[${message.toolName ?? 'A tool'} ${message.isError === true ? 'failed' : 'returned'}]\n${content}`;
    default:
      return unreachable(message.role);
  }
}

function ownWords({ content, toolCalls = [] }: SeenMessage): string {
  const calls = toolCalls.map((call) => `[You called ${call.name} with ${JSON.stringify(call.arguments)}]`);
  return [...(content === '' ? [] : [`[You said] ${content}`]), ...calls].join('\n');
}

/** The system text that models of an API get: the text shared by all agents, then the role and its examples. */
export function systemText({ shared, role: { systemMessage, examples } }: SystemWords): string {
  const words = [shared, systemMessage].filter((part) => part !== '');
  if (examples.length === 0) return words.join('\n\n');
  const lines = examples.map(({ role, content }) => `${role === 'assistant' ? 'You' : 'User'}: ${content}`);
  return [...words, 'Examples of how you answer:', ...lines].join('\n\n');
}

export interface SystemWords {
  readonly shared: string;
  readonly role: Pick<Role, 'systemMessage' | 'examples'>;
}
