import { spawn, spawnSync } from 'node:child_process';
import { PROGRAM, type Sandbox } from './sandbox.ts';

/** What gives a program a terminal; elsewhere than on Linux it takes other words. */
export const hasTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

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
  const command = `stty cols ${columns} rows 40; exec '${process.execPath}' '${PROGRAM}' ${words}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: sandbox.project,
    env: { PATH: process.env['PATH'] ?? '', HOME: sandbox.home, TROUPE_HOME: sandbox.home, TERM: 'xterm' },
  });
  let screen = '';
  let hasAnswered = false;
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    if (hasAnswered || !screen.includes(when)) return;
    hasAnswered = true;
    child.stdin.write(keys);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  child.on('close', () => resolve());
  await promise;
  return screen;
}
