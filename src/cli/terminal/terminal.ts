import type { Readable, Writable } from 'node:stream';
import { Fault } from '../../core/fault.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import { environmentSecrets } from '../../app/secrets/environment-secrets.ts';
import { plainText } from '../../protocol/plain-text.ts';
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
  readonly mode: OutputMode;
}

/** How a command prints and whether it asks: the flags that every command takes. */
export interface OutputMode {
  /** `--json`: standard output holds JSON only. */
  readonly json: boolean;
  /** `--quiet`: only the verdict or the answer, and errors. */
  readonly quiet: boolean;
  /** `--verbose`: with the engine's own steps. */
  readonly verbose: boolean;
  /** False with `--no-input`. */
  readonly interactive: boolean;
}

export const DEFAULT_MODE: OutputMode = { json: false, quiet: false, verbose: false, interactive: true };

/** No more than commands need, so that a caller can give a command other streams. */
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
  return { ...surroundings, secrets, mode: DEFAULT_MODE };
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

/** A person can answer here: input and output are a terminal, and neither a flag nor CI forbids to ask. */
export function canAsk({ stdin, stderr, environment, mode }: Terminal): boolean {
  if (!mode.interactive || mode.json) return false;
  return stdin.isTTY === true && stderr.isTTY === true && !environment['CI'];
}

/** A remark beside the answer; `--quiet` leaves it out. */
export function printNote({ stderr, mode }: Pick<Terminal, 'stderr' | 'mode'>, text: string): void {
  if (!mode.quiet) stderr.write(`${text}\n`);
}

/** The same for the application's own remarks. */
export const noteTo =
  (terminal: Terminal): ((sentence: string) => void) =>
  (sentence) =>
    printNote(terminal, `troupe: ${plainText(sentence)}`);
