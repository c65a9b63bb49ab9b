import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const TROUPE = fileURLToPath(new URL('../../bin/troupe.js', import.meta.url));

export interface FleetOptions {
  readonly folder: string;
  readonly slots: number;
}

/** Workers as processes, each with a home of its own, as on machines of their own. Settings are those of `clusterProject` in the folder. */
export class WorkerFleet {
  readonly #options: FleetOptions;
  readonly #live = new Set<FleetWorker>();
  #count = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  get live(): readonly FleetWorker[] {
    return [...this.#live];
  }

  /** Resolves when it takes runs. */
  async start(flags: readonly string[] = []): Promise<FleetWorker> {
    const { folder, slots } = this.#options;
    this.#count += 1;
    const home = join(folder, `worker-${this.#count}`);
    mkdirSync(home);
    const words = [...flags, TROUPE, 'worker', '--slots', String(slots), '--json'];
    const child = spawn(process.execPath, words, {
      cwd: home,
      env: { ...process.env, XDG_CONFIG_HOME: join(folder, 'settings'), TROUPE_HOME: home, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const worker = new FleetWorker(child);
    await worker.started;
    this.#live.add(worker);
    return worker;
  }

  async kill(worker: FleetWorker, signal: NodeJS.Signals): Promise<void> {
    this.#live.delete(worker);
    worker.child.kill(signal);
    await worker.ended;
  }

  async close(): Promise<void> {
    await Promise.all(this.live.map((worker) => this.kill(worker, 'SIGKILL')));
  }
}

export class FleetWorker {
  readonly child: ChildProcess;
  readonly started: Promise<void>;
  readonly ended: Promise<void>;
  said = '';

  constructor(child: ChildProcess) {
    this.child = child;
    child.stderr?.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
    this.ended = new Promise((resolve) => child.on('close', () => resolve()));
    const first = new Promise<void>((resolve) => {
      if (child.stdout !== null) createInterface({ input: child.stdout }).once('line', () => resolve());
    });
    const early = this.ended.then(() => Promise.reject(new Error(`A worker ended at once: ${this.said}`)));
    early.catch(() => undefined);
    this.started = Promise.race([first, early]);
  }

  /** As the journal names it. */
  get name(): string {
    return `${hostname()}/${this.child.pid}`;
  }

  /** Where its memory can be asked for, if it was started with an inspector. */
  get inspector(): string {
    return /Debugger listening on (ws:\S+)/.exec(this.said)?.[1] ?? '';
  }
}
