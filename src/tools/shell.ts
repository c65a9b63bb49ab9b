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

export interface ShellOptions {
  /** Asked for with the first command. */
  readonly sandbox: () => Promise<Sandbox>;
  /** Besides the homes: where the engine keeps its own files. */
  readonly hidden: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

export function createShell({ sandbox, hidden, environment }: ShellOptions): Shell {
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

/** Why there is no exit code; null when there is one. */
export function commandFailure(result: ProcessResult): Failure | null {
  if (result.cancelled) return { code: 'COMMAND_CANCELLED', message: 'The command was cancelled.', class: 'cancelled' };
  if (result.timedOut) return { code: 'COMMAND_TIMEOUT', message: 'The command took too long.', class: 'timeout' };
  if (result.startFailure !== null) {
    const message = `The command could not be started: ${result.startFailure}.`;
    return { code: 'COMMAND_NOT_STARTED', message, class: 'config' };
  }
  if (result.exitCode !== null) return null;
  const message = `The command was ended by ${result.signal ?? 'a signal'}.`;
  return { code: 'COMMAND_KILLED', message, class: 'crash' };
}
