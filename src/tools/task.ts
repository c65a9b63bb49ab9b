import { defineTool, refused } from './define-tool.ts';

/** Starts a sub-agent. The host carries it out, since a sub-agent is a run of its own; here is only what agents see of it. */
export const taskTool = defineTool<{ prompt: string; role?: string }>({
  name: 'task',
  description:
    'Hand a part of your work to a sub-agent and get its last words back. It sees nothing of your conversation, so tell it all it needs. It works on the same files.',
  parameters: {
    type: 'object',
    properties: {
      prompt: { type: 'string', minLength: 1, maxLength: 100_000, description: 'What it is to do, in full' },
      role: { type: 'string', minLength: 1, maxLength: 100, description: 'Your own role when left out' },
    },
    required: ['prompt'],
    additionalProperties: false,
  },
  // It is a run with a journal: asked for again, the same one goes on.
  repeat: 'safe',
  access: 'talk',
  run: () => Promise.resolve(refused('Sub-agents can only be started by an agent in a run.')),
});
