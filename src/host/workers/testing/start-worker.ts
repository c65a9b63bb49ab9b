import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

export interface WorkerProcess {
  readonly signal: (name: NodeJS.Signals) => void;
  readonly lines: readonly string[];
  /** Until it said this. */
  readonly said: (line: string) => Promise<void>;
  /** Its exit code, or null where a signal ended it. */
  readonly ended: () => Promise<number | null>;
}

export interface WorkerManner {
  /** Agents answer at once; `stuck`: never; `failing`: the first attempt to drive or to begin a run throws. */
  readonly mode?: 'quick' | 'stuck' | 'failing';
  readonly slots?: number;
  readonly offers?: readonly string[];
  /** How far its clock is ahead. */
  readonly aheadMs?: number;
  /** Agents answer when this file is there. */
  readonly gate?: string;
}

/** Starts `worker-process.ts`, and waits until it takes runs. */
export async function startWorkerProcess(address: string, manner: WorkerManner = {}): Promise<WorkerProcess> {
  const given = [PROGRAM, address, JSON.stringify(manner)];
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  const said = async (line: string): Promise<void> => {
    while (!lines.includes(line)) {
      const end = await Promise.race([once(output, 'line').then(() => 'line'), closed.then(() => 'end')]);
      if (end === 'end' && !lines.includes(line)) throw new Error(`The worker ended without saying "${line}".`);
    }
  };
  await said('ready');
  return {
    signal: (name) => void child.kill(name),
    lines,
    said,
    ended: async () => ((await closed) as [number | null])[0],
  };
}
