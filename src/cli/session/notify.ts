import type { SettledLine } from '../../protocol/run-line.ts';
import type { Terminal } from '../terminal/terminal.ts';

const PATIENCE_MS = 10_000;

/** Runs the user's own command when a run settled or asks. What it does never changes how the run came out. */
export async function notify(command: string | null, line: SettledLine, terminal: Terminal): Promise<void> {
  if (command === null) return;
  const { spawn } = await import('node:child_process');
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const child = spawn('/bin/sh', ['-c', command], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: PATIENCE_MS,
    env: { ...terminal.environment, ...notifyEnvironment(line) },
  });
  child.on('error', (error) => resolve(error.message));
  child.on('exit', (code, signal) => resolve(code === 0 ? null : `ended with ${code ?? signal}`));
  const problem = await promise;
  if (problem !== null) terminal.stderr.write(`troupe: the notify command ${problem}\n`);
}

function notifyEnvironment(line: SettledLine): Readonly<Record<string, string>> {
  return {
    TROUPE_RUN: line.run,
    TROUPE_STATUS: line.status,
    TROUPE_OUTCOME: line.outcome,
    TROUPE_QUESTION: line.question?.text ?? '',
  };
}
