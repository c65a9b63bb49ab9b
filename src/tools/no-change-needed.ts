import { NO_CHANGE_TOOL } from '../core/owed-changes.ts';
import { defineTool } from './define-tool.ts';

/** Offered in turns that have to change files (A7). The engine reads the call itself: see `turn-progress.ts`. */
export const noChangeNeededTool = defineTool<{ reason: string }>({
  name: NO_CHANGE_TOOL,
  description:
    'State that your task needs no changed file, and why: it only asks a question, or its result is there already. The engine ' +
    'takes an answer without a changed file only after this call. It does not end your turn.',
  parameters: {
    type: 'object',
    properties: {
      reason: { type: 'string', minLength: 1, maxLength: 1000, description: 'Why no file has to be changed' },
    },
    required: ['reason'],
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'talk',
  run: () => Promise.resolve('Noted. Now give your answer.'),
});
