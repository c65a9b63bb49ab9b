import { dirname } from 'node:path';
import type { Failure } from '../core/outcome.ts';
import type { ProcessResult } from '../lib/run-process.ts';
import type { Sandbox } from '../sandbox/port.ts';
import type { Workspace } from '../workspace/port.ts';
import { commandEnvironment, programFolders } from './command-environment.ts';

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
  /** What was written and thrown away, for people. */
  readonly discarded: readonly string[];
}

export interface ShellSettings {
  /** Asked for with the first command. */
  readonly sandbox: () => Promise<Sandbox>;
  /** Besides the homes: where the engine keeps its own files. */
  readonly hidden: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

export function createShell({ sandbox, hidden, environment }: ShellSettings): Shell {
  const env = commandEnvironment(environment);
  const programs = programFolders(env, hidden);
  return async (command, { place, access, ...run }) => {
    const box = await sandbox();
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
