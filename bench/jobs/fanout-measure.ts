import { percentile } from '../harness/statistics.ts';
import { peakMemoryMb } from '../harness/report.ts';

export interface FanoutFigures {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** How late the event loop was, 99th percentile. */
  readonly lagMs: number;
  readonly memoryMb: number;
}

const TICK_MS = 5;

/** All runs at once: the time until the last has ended, and how long the event loop was held up meanwhile. */
export async function measureFanout(runs: number, one: (index: number) => Promise<void>): Promise<FanoutFigures> {
  const lags: number[] = [];
  let due = performance.now() + TICK_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lags.push(Math.max(0, now - due));
    due = now + TICK_MS;
  }, TICK_MS);
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: runs }, (_, index) => one(index)));
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  clearInterval(timer);
  return { wallMs, cpuMs: (user + system) / 1000, lagMs: percentile(lags, 0.99), memoryMb: peakMemoryMb() };
}

/** The model: answers after its time with a text of its own. */
export async function slowModel(who: string, ms: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return `${who}: ${'The change is in the parser; the tests pass. '.repeat(4)}`;
}
