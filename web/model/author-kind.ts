import type { Message } from '../../src/core/message.ts';
import { agentOrder } from './agent-hue.ts';
import type { RunTree } from './run-tree.ts';

export type AuthorKind = 'agent' | 'engine' | 'workflow' | 'person';

/** Who wrote a message. Only a name that is neither the engine's nor an agent's is a person's. */
export function authorKind({ author, role }: Pick<Message, 'author' | 'role'>, tree: RunTree): AuthorKind {
  if (author === 'workflow') return 'workflow';
  if (author === 'troupe' || author === 'system') return 'engine';
  if (author === 'person') return 'person';
  return role === 'assistant' || role === 'tool' || isAgent(author, tree) ? 'agent' : 'person';
}

const isAgent = (name: string, tree: RunTree): boolean =>
  agentOrder(tree).includes(name) ||
  [...tree.runs.values()].some(({ definition }) => definition?.workflow.agents.some((agent) => agent.name === name));
