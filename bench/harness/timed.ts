import { median } from './statistics.ts';

export interface Timing {
  readonly wallUs: number;
  readonly cpuUs: number;
}

/** Wall and processor time of one call, per unit of work. */
export async function timed(units: number, run: () => Promise<void>): Promise<Timing> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run();
  const wallUs = ((performance.now() - start) * 1000) / units;
  const { user, system } = process.cpuUsage(cpu);
  return { wallUs, cpuUs: (user + system) / units };
}

export interface Timings {
  /** The first run in the process: nothing compiled yet. */
  readonly first: Timing;
  /** Median of the runs after a second of them. */
  readonly warm: Timing;
}

const WARM_UP_MS = 1000;
const MEASURED_MS = 1000;

/** The same work again and again: once for the first figure, a while to warm up, then what counts. */
export async function timedRuns(units: number, run: () => Promise<void>): Promise<Timings> {
  const first = await timed(units, run);
  const warmAt = performance.now() + WARM_UP_MS;
  while (performance.now() < warmAt) await run();
  const warm: Timing[] = [];
  const until = performance.now() + MEASURED_MS;
  while (warm.length === 0 || performance.now() < until) warm.push(await timed(units, run));
  return {
    first,
    warm: { wallUs: median(warm.map((one) => one.wallUs)), cpuUs: median(warm.map((one) => one.cpuUs)) },
  };
}
