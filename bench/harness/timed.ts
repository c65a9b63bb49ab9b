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
  /** Median of the runs after it. */
  readonly warm: Timing;
}

const ENOUGH_RUNS = 15;

/** Runs the same work until there are enough runs or the time is up; at least once more after the first. */
export async function timedRuns(units: number, run: () => Promise<void>, budgetMs = 1500): Promise<Timings> {
  const first = await timed(units, run);
  const warm: Timing[] = [];
  const until = performance.now() + budgetMs;
  while (warm.length === 0 || (warm.length < ENOUGH_RUNS && performance.now() < until)) {
    warm.push(await timed(units, run));
  }
  return {
    first,
    warm: { wallUs: median(warm.map((one) => one.wallUs)), cpuUs: median(warm.map((one) => one.cpuUs)) },
  };
}
