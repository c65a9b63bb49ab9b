import type { Readable, Writable } from 'node:stream';
import { Fault } from '../../core/model/fault.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import { environmentSecrets } from '../../app/secrets/config-secrets.ts';
import { paintFor, type Paint } from './colour.ts';
import { plainText } from '../../protocol/plain-text.ts';

/** Takes secrets out of everything that is written to a stream: the stream is changed in place. */
function redactOutput(stream: TerminalOutput, secrets: KnownSecrets): void {
  const write = stream.write.bind(stream) as (...given: readonly unknown[]) => boolean;
  stream.write = ((piece: unknown, ...rest: readonly unknown[]) =>
    write(redactedPiece(piece, secrets), ...rest)) as typeof stream.write;
}

function redactedPiece(piece: unknown, secrets: KnownSecrets): unknown {
  if (typeof piece === 'string') return secrets.redact(piece);
  if (!(piece instanceof Uint8Array)) return piece;
  const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
  return secrets.find(text).length === 0 ? piece : Buffer.from(secrets.redact(text), 'latin1');
}

/** The process's surroundings as one record, so that no command reaches for globals. */
export interface Surroundings {
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
}

export interface Terminal extends Surroundings {
  /** Secrets to keep out of all output; grows as settings are read. */
  readonly secrets: KnownSecrets;
  readonly mode: OutputMode;
  readonly note?: (sentence: string) => void;
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

/** Prints a command's answer on standard output: data with `--json`, else text. */
export function printAnswer(
  { stdout, mode }: Pick<Terminal, 'stdout' | 'mode'>,
  data: object,
  text: () => string,
): void {
  stdout.write(`${mode.json ? JSON.stringify(data) : text()}\n`);
}

/** Prints a command's effect: data on standard output with `--json`, else a sentence on standard error; `--quiet` leaves out notes. */
export function printDone(terminal: Terminal, data: object, text: string | { readonly note: string }): void {
  if (terminal.mode.json) terminal.stdout.write(`${JSON.stringify(data)}\n`);
  else if (typeof text === 'string') terminal.stderr.write(`${text}\n`);
  else printNote(terminal, text.note);
}

/** How text fits the terminal. */
export interface TextOptions {
  readonly width: number;
  readonly paint: Paint;
}

export const terminalTextOptions = ({
  stdout,
  environment,
}: Pick<Terminal, 'stdout' | 'environment'>): TextOptions => ({
  width: stdout.columns || 80,
  paint: paintFor(stdout, environment),
});
