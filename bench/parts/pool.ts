import { interleave, type Results } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Bench, Goal, Part } from '../harness/part.ts';

interface Whole {
  readonly unitUs: number;
}

interface Core {
  readonly decideUnitUs: number;
  readonly foldUnitUs: number;
}

const RUNS = ['250', '2000'] as const;
const CORES = ['1000', '10000', '100000'] as const;

/** What a unit costs in a small pool and in a large one. */
export const pool: Part = {
  name: 'pool',
  title: 'A unit in a small pool and in a large one',
  async run(bench) {
    const whole = await measured<(typeof RUNS)[number], Whole>(bench, 'jobs/pool.ts', RUNS);
    const core = await measured<(typeof CORES)[number], Core>(bench, 'jobs/pool-core.ts', CORES);
    const goals: readonly Goal[] = [
      {
        what: 'unit in a pool of 2000 ÷ of 250',
        atMost: 3,
        found: whole.ratio('2000', '250', ({ unitUs }) => unitUs),
        unit: '×',
      },
      {
        what: 'pool of 100,000 units, in the core: a unit decided and folded ÷ in a pool of 1,000',
        atMost: 1.3,
        found: core.ratio('100000', '1000', ({ decideUnitUs, foldUnitUs }) => decideUnitUs + foldUnitUs),
        unit: '×',
      },
      {
        what: 'pool of 100,000 units, in the core: one fold, a unit ÷ in a pool of 10,000',
        atMost: 1.3,
        found: core.ratio('100000', '10000', ({ foldUnitUs }) => foldUnitUs),
        unit: '×',
      },
    ];
    return {
      tables: [
        {
          title: 'Pools of trivial child runs on four slots, journal in memory',
          columns: ['units', 'µs a unit, whole run'],
          rows: RUNS.map((units) => [Number(units), whole.median(units, ({ unitUs }) => unitUs)]),
        },
        {
          title: 'The same in the core alone, without host and journal',
          columns: ['units', 'µs a unit, decided', 'µs a unit, one fold of the records'],
          rows: CORES.map((units) => [
            Number(units),
            core.median(units, ({ decideUnitUs }) => decideUnitUs),
            core.median(units, ({ foldUnitUs }) => foldUnitUs),
          ]),
        },
      ],
      goals,
    };
  },
};

function measured<Units extends string, T extends object>(
  bench: Bench,
  file: string,
  sizes: readonly Units[],
): Promise<Results<Units, T>> {
  const contestants = sizes.map((name) => ({ name, run: () => runJob<T>(file, { units: Number(name) }) }));
  return interleave(bench.repetitions, contestants, (text) => bench.say(`${file}, ${text}`));
}
