import { readFileSync } from 'node:fs';
import type { ProcessTime } from './process-time.ts';

/** Wall and processor time of some work in this process, with all the programs that it started and waited for. */
export async function wholeTime(work: () => Promise<unknown>): Promise<ProcessTime> {
  const before = cpuMs();
  const start = performance.now();
  await work();
  return { wallMs: performance.now() - start, cpuMs: cpuMs() - before };
}

/** The programs' share is told in hundredths of a second, so sums of several rounds tell more than one. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  const ended = Number(fields[ENDED_USER]) + Number(fields[ENDED_USER + 1]);
  return (user + system) / 1000 + ended * TICK_MS;
}

/** The place after the program's name at which the time of ended programs stands. */
const ENDED_USER = 13;
const TICK_MS = 10;

export function meanTime(times: readonly ProcessTime[]): ProcessTime {
  const mean = (read: (time: ProcessTime) => number): number =>
    times.reduce((sum, time) => sum + read(time), 0) / times.length;
  return { wallMs: mean(({ wallMs }) => wallMs), cpuMs: mean(({ cpuMs: cpu }) => cpu) };
}
