import type { Role, ToolSpec } from '../core/role.ts';
import { TASK_TOOL } from '../core/tool-names.ts';
import { defineTool, refusedTool } from './define-tool.ts';

const PROMPT = { type: 'string', description: 'Goal, files, limits, what to report' };

/** Starts a sub-agent. The host carries it out, since a sub-agent is a run of its own; here is only what agents see of it. */
export const taskTool = defineTool<{ prompt: string; role?: string }>({
  name: TASK_TOOL,
  description:
    'Give a part of your work to a sub-agent on the same files and get its last message back. It sees only the prompt.',
  parameters: {
    type: 'object',
    properties: {
      prompt: { ...PROMPT, minLength: 1, maxLength: 100_000 },
      role: { type: 'string', minLength: 1, maxLength: 100, description: 'Default: your own role' },
    },
    required: ['prompt'],
    additionalProperties: false,
  },
  // It is a run with a journal: asked for again, the same one goes on.
  repeat: 'safe',
  access: 'talk',
  run: () => Promise.resolve(refusedTool('Sub-agents can only be started by an agent in a run.')),
});

/** As a role is offered it: it names those that the role may start, since any other name is refused. */
export function taskSpec({ tasks, name }: Pick<Role, 'tasks' | 'name'>): ToolSpec {
  const { spec } = taskTool;
  if (tasks === undefined) return spec;
  const required = tasks.includes(name) ? ['prompt'] : ['prompt', 'role'];
  return {
    ...spec,
    parameters: {
      ...spec.parameters,
      properties: { prompt: PROMPT, role: { type: 'string', enum: [...tasks] } },
      required,
    },
  };
}
