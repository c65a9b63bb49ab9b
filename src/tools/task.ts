import { defineTool, refused } from './define-tool.ts';

/** Starts a sub-agent. The host carries it out, since a sub-agent is a run of its own; here is only what agents see of it. */
export const taskTool = defineTool<{ prompt: string; role?: string }>({
  name: 'task',
  description:
    'Give a part of your work to a sub-agent and get its last message back. It sees nothing of your conversation, so give it everything it needs. It works on the same files.',
  parameters: {
    type: 'object',
    properties: {
      prompt: {
        type: 'string',
        minLength: 1,
        maxLength: 100_000,
        description: 'The whole order: goal, files, limits, and what to report',
      },
      role: { type: 'string', minLength: 1, maxLength: 100, description: 'Default: your own role' },
    },
    required: ['prompt'],
    additionalProperties: false,
  },
  // It is a run with a journal: asked for again, the same one goes on.
  repeat: 'safe',
  access: 'talk',
  run: () => Promise.resolve(refused('Sub-agents can only be started by an agent in a run.')),
});
