import type { Terminal } from './terminal/terminal.ts';

/** A command as data: what help and completion show, and where its code is. The code is loaded only when it runs. */
export interface CommandSpec {
  readonly name: string;
  /** Its arguments as commander writes them: `<workflow> [input]`. */
  readonly arguments?: string;
  readonly summary: string;
  readonly group: string;
  readonly options?: readonly OptionSpec[];
  readonly examples?: readonly string[];
  /** Not for people: left out of the help. */
  readonly isHidden?: true;
  readonly load: () => Promise<CommandAction>;
}

export interface OptionSpec {
  readonly flags: string;
  readonly description: string;
  readonly kind?: 'text' | 'number' | 'list';
  readonly choices?: readonly string[];
}

/** Every command takes these, each with one meaning (`OutputMode`). */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { flags: '--json', description: 'print data only, as JSON' },
  { flags: '--quiet', description: 'print only the verdict or the answer, and errors' },
  { flags: '--verbose', description: "print the engine's own steps too" },
  { flags: '--no-input', description: 'never ask; fail with the flag to give instead' },
];

/** Runs the command; its result is the exit code. */
export type CommandAction = (invocation: Invocation) => Promise<number>;

export interface Invocation {
  readonly words: readonly (string | readonly string[] | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly terminal: Terminal;
  readonly version: string;
}
