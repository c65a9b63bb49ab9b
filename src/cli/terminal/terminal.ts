import type { Readable, Writable } from 'node:stream';
import { Fault } from '../../core/fault.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import { environmentSecrets } from '../../app/secrets/environment-secrets.ts';
import { redactOutput } from './redacted-output.ts';

/** The process's surroundings as one record, so that no command reaches for globals. */
export interface Surroundings {
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
}

export interface Terminal extends Surroundings {
  /** What must not be written down or shown; grows with the settings that are read. */
  readonly secrets: KnownSecrets;
}

/** No more than commands need, so that whoever runs one elsewhere can give it streams of its own. */
export type TerminalInput = Readable & { readonly isTTY?: boolean };
export type TerminalOutput = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return openTerminal({ stdin, stdout, stderr, environment: env, folder: currentFolder() });
}

/** From now on these streams print no secret of the environment, nor one that is learned later. */
export function openTerminal(surroundings: Surroundings): Terminal {
  const secrets = environmentSecrets(surroundings.environment);
  redactOutput(surroundings.stdout, secrets);
  redactOutput(surroundings.stderr, secrets);
  return { ...surroundings, secrets };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new Fault('CWD_MISSING', 'The folder this command was started in does not exist any more.', {
      hint: 'Go to a folder that exists, as in: cd ~',
      cause: error,
    });
  }
}

/** Somebody is there to answer: both ways are a terminal, and neither a flag nor CI says otherwise. */
export function canAsk(terminal: Terminal, options: AskOptions): boolean {
  if (!options.interactive || options.json) return false;
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true && !terminal.environment['CI'];
}

export interface AskOptions {
  /** False with `--no-input`. */
  readonly interactive: boolean;
  readonly json: boolean;
}
