import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runJob } from '../harness/job.ts';
import type { Bench, Part } from '../harness/part.ts';
import { processTime, type ProcessTime } from '../harness/process-time.ts';
import { median } from '../harness/statistics.ts';
import { makeTwoSteps } from '../harness/two-steps.ts';

const TROUPE = fileURLToPath(new URL('../../bin/troupe.js', import.meta.url));
const MODEL = '{ provider: scripted, scenario: scenario.yaml }';
const AT_MOST_MS = 1000;

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  list: ['list'],
  show: ['show', 'bench-7'],
  run: ['run', 'two_steps.json', 'Do it.'],
  metrics: ['metrics'],
  'metrics --prometheus': ['metrics', '--prometheus'],
};

/** What a user waits for in a home with many runs: whole processes, from nothing to their end. */
export const manyRuns: Part = {
  name: 'many-runs',
  title: 'A home with many runs',
  async run(bench) {
    const runs = bench.quick ? 200 : 10_000;
    const folder = makeTwoSteps(bench.folder('many-runs'), MODEL);
    const home = join(folder, 'home');
    const time = (args: readonly string[]): ProcessTime =>
      processTime({ words: [process.execPath, TROUPE, ...args], folder, environment: { TROUPE_HOME: home } });
    time(['run', 'two_steps.json', 'Do it.']);
    bench.say(`many-runs, writing ${runs} runs`);
    const { records } = await runJob('jobs/many-runs-fill.ts', { home, runs });
    const first = time(['metrics']);
    rmSync(join(home, 'metrics.txt'));
    const uncounted = time(['metrics']);
    const found = Object.entries(COMMANDS).map(([name, args]) => ({
      name,
      ...medianTime(bench, name, () => time(args)),
    }));
    return {
      tables: [
        {
          title: `${runs.toLocaleString('en-GB')} runs, ${(records ?? 0).toLocaleString('en-GB')} records`,
          columns: ['command', 'wall ms', 'CPU ms'],
          rows: [
            ...found.map(({ name, wallMs, cpuMs }) => [`troupe ${name}`, wallMs, cpuMs] as const),
            ['troupe metrics, the first time', first.wallMs, first.cpuMs],
            ['troupe metrics, without kept figures', uncounted.wallMs, uncounted.cpuMs],
          ],
        },
      ],
      goals: [...found, { name: 'metrics, the first time', ...first }].map(({ name, wallMs }) => ({
        what: `${runs.toLocaleString('en-GB')} runs: troupe ${name}`,
        atMost: AT_MOST_MS,
        found: wallMs,
        unit: 'ms',
      })),
    };
  },
};

function medianTime(bench: Bench, name: string, time: () => ProcessTime): ProcessTime {
  const times = Array.from({ length: Math.max(3, bench.repetitions) }, (_, round) => {
    bench.say(`many-runs, ${name}, round ${round + 1}`);
    return time();
  });
  return { wallMs: median(times.map(({ wallMs }) => wallMs)), cpuMs: median(times.map(({ cpuMs }) => cpuMs)) };
}
