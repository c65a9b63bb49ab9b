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
async function measureFanout(runs: number, one: (index: number) => Promise<void>): Promise<FanoutFigures> {
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

export interface FanoutReport extends FanoutFigures {
  /** The same once more, when everything is compiled. */
  readonly warm: FanoutFigures;
}

/** A few runs first, so that nothing is loaded in the measured time; then all at once, three times. */
export async function reportFanout(runs: number, one: (index: number) => Promise<void>): Promise<FanoutReport> {
  await measureFanout(FEW, one);
  const first = await measureFanout(runs, one);
  const again = [await measureFanout(runs, one), await measureFanout(runs, one)] as const;
  return { ...first, warm: again[0].wallMs < again[1].wallMs ? again[0] : again[1] };
}

/** How many runs all of that comes to. */
export const runsInAll = (runs: number): number => FEW + 3 * runs;

const FEW = 10;

/** The model: answers after its time with a text of its own. */
export async function slowModel(who: string, ms: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return `${who}: ${'The change is in the parser; the tests pass. '.repeat(4)}`;
}
