import { NO_CHANGE_TOOL } from '../core/owed-changes.ts';
import { defineTool } from './define-tool.ts';

/** Offered in turns that have to change files (A7). The engine reads the call itself: see `turn-progress.ts`. */
export const noChangeNeededTool = defineTool<{ reason: string }>({
  name: NO_CHANGE_TOOL,
  description:
    'State why your task needs no changed file, such as one that only asks a question. Without this call, the engine refuses ' +
    'an end without changes. It does not end your turn.',
  parameters: {
    type: 'object',
    properties: {
      reason: { type: 'string', minLength: 1, maxLength: 1000 },
    },
    required: ['reason'],
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'talk',
  run: () => Promise.resolve('Noted. Now give your answer.'),
});
