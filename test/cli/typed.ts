import { spawn, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { PROGRAM, type Sandbox } from './sandbox.ts';

/** What gives a program a terminal; elsewhere than on Linux it takes other words. */
export const hasTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

/** A person's terminal with a command in it. */
export interface OpenTerminal {
  /** All that was on the screen until now. */
  readonly screen: () => string;
  readonly onScreen: (listener: () => void) => void;
  readonly type: (keys: string) => void;
  /** The exit code of the command. */
  readonly ended: Promise<number | null>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** `words`: behind `troupe`, as a shell reads it. */
export function openTerminal(
  sandbox: Sandbox,
  words: string,
  { columns = 100, environment = {} }: TerminalOptions = {},
): OpenTerminal {
  const command = `stty cols ${columns} rows 40; exec '${process.execPath}' '${PROGRAM}' ${words}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: sandbox.project,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: sandbox.home,
      TROUPE_HOME: sandbox.home,
      TERM: 'xterm',
      ...environment,
    },
  });
  onTestFinished(() => void child.kill());
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', (code) => resolve(code));
  return {
    screen: () => screen,
    onScreen: (listener) => void child.stdout.on('data', listener),
    type: (keys) => void child.stdin.write(keys),
    ended: promise,
  };
}

export interface Typing {
  /** Behind `troupe`, as a shell reads it. */
  readonly words: string;
  readonly columns: number;
  /** Typed once this is on the screen. */
  readonly when: string;
  readonly keys: string;
}

/** Runs the command line in a terminal and gives back all that was on the screen. */
export async function typed(sandbox: Sandbox, { words, columns, when, keys }: Typing): Promise<string> {
  const terminal = openTerminal(sandbox, words, { columns });
  let hasAnswered = false;
  terminal.onScreen(() => {
    if (hasAnswered || !terminal.screen().includes(when)) return;
    hasAnswered = true;
    terminal.type(keys);
  });
  await terminal.ended;
  return terminal.screen();
}
