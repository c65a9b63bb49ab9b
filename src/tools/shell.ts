import { dirname } from 'node:path';
import type { Failure } from '../core/model/outcome.ts';
import type { ProcessResult } from '../lib/run-process.ts';
import type { LentFolder } from '../sandbox/port.ts';
import type { Workspace } from '../workspace/port.ts';
import { commandEnvironment, programFolders } from './command-environment.ts';
import { CANCELLED, defineTool, refusedTool, objectSchema } from './define-tool.ts';
import type { McpService, ShellAnswer, ToolResult } from './port.ts';

/** Runs a command line of an agent or of a workflow in a workspace: scrubbed environment, no input, bounded output. */
export type Shell = (command: string, options: ShellRun) => Promise<ShellResult>;

export interface ShellRun {
  readonly place: Pick<Workspace, 'folder' | 'environment' | 'folders'>;
  /** `throwaway`: the command may write, and none of it stays. */
  readonly access: 'write' | 'throwaway';
  readonly network: boolean;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
}

export interface ShellResult extends ProcessResult {
  /** Paths of discarded changes, for people. */
  readonly discarded: readonly string[];
}

export function createShell({ sandbox, hidden, environment }: McpService): Shell {
  const env = commandEnvironment(environment);
  let programs: readonly LentFolder[] | undefined;
  return async (command, { place, access, ...run }) => {
    const box = await sandbox();
    // Following every link on the path takes time that a run without commands does not have to spend.
    programs ??= programFolders(env, hidden);
    return await box.run(['/bin/sh', '-c', command], {
      ...run,
      cwd: place.folder,
      env: { ...env, ...place.environment, GIT_CEILING_DIRECTORIES: dirname(place.folder) },
      folders: [...programs, ...place.folders, { path: place.folder, access }],
      hidden,
      maxOutputBytes: run.maxOutputBytes ?? MAX_OUTPUT_BYTES,
      mergeErrors: true,
    });
  };
}

const MAX_OUTPUT_BYTES = 64 * 1024;

export interface ExpectedEnd {
  readonly okExitCodes?: readonly number[];
  /** Named in the message. */
  readonly command?: string;
}

/**
 * Decides for every caller whether a command failed: it was cancelled, took too long, did not start, was ended by a signal,
 * or its exit code is not one of the accepted ones. Null when it succeeded.
 */
export function commandFailure(end: CommandEnding, { okExitCodes = [0], command }: ExpectedEnd = {}): Failure | null {
  const name = command === undefined ? 'The command' : `The command \`${command}\``;
  if (end.cancelled) return { code: 'COMMAND_CANCELLED', message: `${name} was cancelled.`, class: 'cancelled' };
  if (end.timedOut) return { code: 'COMMAND_TIMEOUT', message: `${name} took too long.`, class: 'timeout' };
  if (end.startFailure !== null) {
    const message = `${name} could not be started: ${end.startFailure}.`;
    return { code: 'COMMAND_NOT_STARTED', message, class: 'config' };
  }
  if (end.exitCode === null) {
    return { code: 'COMMAND_KILLED', message: `${name} was ended by ${end.signal ?? 'a signal'}.`, class: 'crash' };
  }
  if (okExitCodes.includes(end.exitCode)) return null;
  return { code: 'COMMAND_FAILED', message: `${name} ended with exit code ${end.exitCode}.`, class: 'logic' };
}

type CommandEnding = Pick<ProcessResult, 'exitCode' | 'signal' | 'timedOut' | 'cancelled' | 'startFailure'>;

export const executeTerminalTool = defineTool<{ command: string; timeout_seconds?: number }>({
  name: 'execute_terminal',
  description:
    'Run a command with sh and get its exit code and output. It has no input, and everything it started ends with it.',
  parameters: objectSchema(['command'], {
    command: { type: 'string', minLength: 1, maxLength: 100_000 },
    timeout_seconds: { type: 'integer', minimum: 1, maximum: 3600, description: 'Default: 120' },
  }),
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
  'Commands cannot be run here: there is no sandbox, and commands run only in a sandbox. Continue without commands.';

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

/** The note to the agent on files that a program wrote without the right to; empty if there are none. */
export function thrownAway(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const some = paths.slice(0, 10).join(', ');
  return `\n[Your role may not write: changes to ${paths.length} paths were thrown away (${some}${paths.length > 10 ? ', …' : ''})]`;
}
