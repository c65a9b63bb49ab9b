import { defineTool, refusedTool } from './define-tool.ts';

export const REPORT_PROGRESS = 'report_progress';

/** How far an agent says it is (PH5). Nobody else ever says it for the agent. */
export const reportProgressTool = defineTool<{ progress: number; message: string }>({
  name: REPORT_PROGRESS,
  description:
    'Report your progress to the people who watch. Report finished steps, not intentions. It does not end your turn.',
  parameters: {
    type: 'object',
    properties: {
      progress: { type: 'number', minimum: 0, maximum: 1, description: 'From 0, just begun, to 1, all done' },
      message: { type: 'string', minLength: 1, maxLength: 500, description: 'The step you finished, in one line' },
    },
    required: ['progress', 'message'],
    additionalProperties: false,
  },
  repeat: 'safe',
  access: 'talk',
  async run({ progress, message }, { services }) {
    if (services?.progress === undefined) return refusedTool('Progress cannot be reported here.');
    await services.progress.note(progress, message.replaceAll(/\s+/g, ' ').trim());
    return `Noted: ${Math.round(progress * 100)} %.`;
  },
});
