import { defineTool, refusedTool } from './define-tool.ts';

/**
 * The agent's own list. Each call replaces it, and the journal holds the call, so the list at any moment is the last call's:
 * nothing is kept here.
 */
export const todoWriteTool = defineTool<{ items: readonly GivenItem[] }>({
  name: 'todo_write',
  description: 'Keep your list of things to do. Each call gives the whole list and replaces the one before.',
  parameters: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', minLength: 1, maxLength: 40, description: 'Default: its number in the list' },
            text: { type: 'string', minLength: 1, maxLength: 500 },
            status: { type: 'string', enum: ['pending', 'in_progress', 'done'] },
          },
          required: ['text', 'status'],
          additionalProperties: false,
        },
      },
    },
    required: ['items'],
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'talk',
  run({ items: given }) {
    const items = todoItems(given);
    const twin = items.find(({ id }, at) => items.findIndex((other) => other.id === id) !== at);
    return twin === undefined ? todoText(items) : refusedTool(`Two items have the id ${JSON.stringify(twin.id)}.`);
  },
});

interface GivenItem {
  readonly id?: string;
  readonly text: string;
  readonly status: TodoItem['status'];
}

interface TodoItem {
  readonly id: string;
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'done';
}

function todoItems(given: readonly GivenItem[]): readonly TodoItem[] {
  return given.map(({ id, text, status }, at) => ({
    id: id ?? `${at + 1}`,
    text: text.replaceAll(/\s+/g, ' ').trim(),
    status,
  }));
}

const MARKS: Readonly<Record<TodoItem['status'], string>> = { pending: '[ ]', in_progress: '[>]', done: '[x]' };

function todoText(items: readonly TodoItem[]): string {
  if (items.length === 0) return 'The list is empty.';
  const done = items.filter(({ status }) => status === 'done').length;
  const lines = items.map(({ id, text, status }) => `${MARKS[status]} ${id}. ${text}`);
  return [...lines, `${done} of ${items.length} done.`].join('\n');
}
