import type { Failure } from '../core/outcome.ts';
import { runProcess } from '../lib/run-process.ts';
import type { ProcessResult } from '../lib/run-process.ts';
import { commandEnvironment } from './command-environment.ts';

/** Runs a command that a workflow names (tests, lint). The exit code is evidence; without one, `failure` says why. */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandResult> {
  try {
    const result = await runShell(command, options);
    return { exitCode: result.exitCode, output: result.output, failure: failureOf(result, options) };
  } catch (error) {
    return { exitCode: null, output: '', failure: notStarted(error instanceof Error ? error.message : String(error)) };
  }
}

export interface CommandOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
}

/** The same shape as the host's own. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly output: string;
  readonly failure: Failure | null;
}

/** A shell in the folder: scrubbed environment, no input, bounded output, and nothing left running afterwards. */
export async function runShell(command: string, options: CommandOptions): Promise<ProcessResult> {
  const { env, dispose } = await commandEnvironment(options.folder);
  try {
    return await runProcess(['/bin/sh', '-c', command], {
      cwd: options.folder,
      env,
      signal: options.signal,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      maxOutputBytes: options.maxOutputBytes ?? MAX_OUTPUT_BYTES,
      mergeErrors: true,
    });
  } finally {
    await dispose();
  }
}

const MAX_OUTPUT_BYTES = 64 * 1024;

function failureOf(result: ProcessResult, options: CommandOptions): Failure | null {
  if (result.cancelled) return { code: 'COMMAND_CANCELLED', message: 'The command was cancelled.', class: 'cancelled' };
  if (result.timedOut) {
    return {
      code: 'COMMAND_TIMEOUT',
      message: `The command was stopped after ${options.timeoutMs} ms.`,
      class: 'timeout',
    };
  }
  if (result.startFailure !== null) return notStarted(result.startFailure);
  if (result.exitCode !== null) return null;
  return {
    code: 'COMMAND_KILLED',
    message: `The command was ended by ${result.signal ?? 'a signal'}.`,
    class: 'crash',
  };
}

function notStarted(because: string): Failure {
  return { code: 'COMMAND_NOT_STARTED', message: `The command could not be started: ${because}.`, class: 'config' };
}
