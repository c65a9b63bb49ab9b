import { CANCELLED, defineTool, refusedTool } from './define-tool.ts';
import type { ShellAnswer, ToolResult } from './port.ts';
import { commandFailure } from './shell.ts';
import { thrownAway } from './thrown-away.ts';

export const executeTerminalTool = defineTool<{ command: string; timeout_seconds?: number }>({
  name: 'execute_terminal',
  description:
    'Run a command with sh and get its exit code and output. It has no input, and everything it started ends with it.',
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string', minLength: 1, maxLength: 100_000 },
      timeout_seconds: { type: 'integer', minimum: 1, maximum: 3600, description: 'Default: 120' },
    },
    required: ['command'],
    additionalProperties: false,
  },
  repeat: 'unsafe',
  access: 'command',
  async run({ command, timeout_seconds: seconds = DEFAULT_SECONDS }, context) {
    const { folder, signal, mode = 'write', network = false } = context;
    const shell = context.services?.shell;
    if (shell === undefined) return refusedTool(NO_SHELL, 'NO_SHELL');
    return resultOf(await shell(command, { folder, signal, timeoutMs: seconds * 1000, mode, network }), seconds);
  },
});

const DEFAULT_SECONDS = 120;
const NO_SHELL =
  'Commands cannot be run here: nothing was set up that keeps them in, and without it none is started. Go on without commands.';

function resultOf(result: ShellAnswer, seconds: number): ToolResult {
  const output = result.output === '' ? '(no output)' : result.output;
  if (result.cancelled) return refusedTool(CANCELLED);
  if (result.startFailure !== null) return refusedTool(`The command could not be started: ${result.startFailure}.`);
  if (result.timedOut)
    return refusedTool(`Stopped after ${seconds} s, with everything it had started. Output until then:\n${output}`);
  if (result.exitCode === null)
    return refusedTool(`Ended by ${result.signal ?? 'a signal'}. Output until then:\n${output}`);
  const content = `Exit code ${result.exitCode}\n${output}${thrownAway(result.discarded ?? [])}`;
  return { content, isError: commandFailure(result) !== null };
}
