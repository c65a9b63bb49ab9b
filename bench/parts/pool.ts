import { interleave } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Part } from '../harness/part.ts';

interface Figures {
  readonly unitUs: number;
  readonly foldUnitUs: number;
}

const SMALL = 250;
const LARGE = 2000;

/** What a unit costs in a small pool and in a large one. */
export const pool: Part = {
  name: 'pool',
  title: 'A unit in a small pool and in a large one',
  async run(bench) {
    const contestants = ([SMALL, LARGE] as const).map((units) => ({
      name: units === SMALL ? ('small' as const) : ('large' as const),
      run: () => runJob<Figures>('jobs/pool.ts', { units }),
    }));
    const results = await interleave(bench.repetitions, contestants, (text) => bench.say(`pool, ${text}`));
    const unitUs = (size: 'small' | 'large'): number | null => results.median(size, (figures) => figures.unitUs);
    const foldUs = (size: 'small' | 'large'): number | null => results.median(size, (figures) => figures.foldUnitUs);
    return {
      tables: [
        {
          title: 'Pools of trivial child runs on four slots, journal in memory',
          columns: ['units', 'µs a unit, whole run', 'µs a unit, one fold of the records'],
          rows: [
            [SMALL, unitUs('small'), foldUs('small')],
            [LARGE, unitUs('large'), foldUs('large')],
          ],
        },
      ],
      goals: [
        {
          what: `unit in a pool of ${LARGE} ÷ of ${SMALL}`,
          atMost: 3,
          found: ratio(unitUs('large'), unitUs('small')),
          unit: '×',
        },
        {
          what: `fold of a unit in a pool of ${LARGE} ÷ of ${SMALL}`,
          atMost: 3,
          found: ratio(foldUs('large'), foldUs('small')),
          unit: '×',
        },
      ],
    };
  },
};

const ratio = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one / other;
