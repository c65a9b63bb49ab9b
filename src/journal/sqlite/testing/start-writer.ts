import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url));

export interface Writer {
  readonly pid: number;
  /** The newest number it said was accepted. */
  readonly accepted: () => number;
  /** Until it has said so many lines. */
  readonly said: (lines: number) => Promise<void>;
  /** Kills it at once and waits until it is gone. */
  readonly kill: () => Promise<void>;
  /** Its exit code, once it ended by itself and all it said was read. */
  readonly ended: () => Promise<number | null>;
}

export interface WriterOptions {
  readonly home: string;
  readonly run: string;
  readonly batches: number;
  readonly size: number;
}

/** Starts `writer.ts` as a separate process. */
export function startWriter({ home, run, batches, size }: WriterOptions): Writer {
  const child = spawn(process.execPath, [WRITER, home, run, String(batches), String(size)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines: string[] = [];
  let wake = (): void => {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    wake();
  });
  return {
    pid: child.pid ?? 0,
    accepted: () => Number(lines.findLast((line) => !line.startsWith('ready')) ?? 0),
    said: (count) =>
      new Promise((resolve, reject) => {
        wake = () => {
          if (lines.length >= count) resolve();
        };
        closed.then(() => reject(new Error(`The writer ended after ${lines.length} lines.`)), reject);
        wake();
      }),
    kill: () => killed(child, closed),
    ended: async () => ((await closed) as [number | null])[0],
  };
}

async function killed(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL');
  await closed;
}
