import { fileURLToPath } from 'node:url';
import { growthChart, type GrowthPanel, type GrowthPoint } from '../harness/growth-chart.ts';
import { interleave } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Bench, Goal, Part } from '../harness/part.ts';

const PICTURES = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const FILE = 'growth.svg';

interface Grown {
  readonly what: string;
  readonly title: string;
  readonly sizes: readonly number[];
  readonly job: string;
}

const GROWN: readonly Grown[] = [
  { what: 'runs', title: 'runs in a journal', sizes: [100, 1000, 10_000], job: 'jobs/growth.ts' },
  { what: 'records', title: 'records of a run', sizes: [450, 4500, 45_000], job: 'jobs/growth.ts' },
  { what: 'units', title: 'units of a pool', sizes: [1000, 10_000, 100_000], job: 'jobs/pool-core.ts' },
  { what: 'agents', title: 'agents at once', sizes: [10, 100, 1000], job: 'jobs/growth.ts' },
  { what: 'files', title: 'files of a project', sizes: [100, 1000, 10_000], job: 'jobs/growth.ts' },
];

/** What one of something takes, the more there are of them. */
export const growth: Part = {
  name: 'growth',
  title: 'Growth: processor time and bytes for one, against how many there are',
  async run(bench) {
    const panels: GrowthPanel[] = [];
    for (const grown of GROWN) panels.push(await panelOf(bench, grown));
    const picture = growthChart(panels);
    return {
      tables: [
        {
          title: 'For one of them',
          columns: ['of', 'how many', 'CPU µs', 'bytes'],
          rows: panels.flatMap(({ title, points }) =>
            points.map(({ size, us, bytes }) => [title, size, us, bytes] as const),
          ),
        },
      ],
      goals: bench.quick ? [] : panels.map(goalOf),
      notes: [`![Time and bytes for one, against how many there are](pictures/${FILE})`],
      files: [{ path: `${PICTURES}${FILE}`, text: picture }],
    };
  },
};

async function panelOf(bench: Bench, { what, title, sizes, job }: Grown): Promise<GrowthPanel> {
  const chosen = bench.quick ? sizes.map((size) => size / 10) : sizes;
  const contestants = chosen.map((size) => ({
    name: String(size),
    run: () => runJob<Figures>(job, { what, size, units: size, folder: bench.folder(`growth-${what}`) }),
  }));
  // The smallest ones are over so soon that a single measurement says little.
  const rounds = Math.max(3, bench.repetitions);
  const results = await interleave(rounds, contestants, (text) => bench.say(`growth, ${what}, ${text}`));
  const points = chosen.map((size): GrowthPoint => ({
    size,
    us: results.median(String(size), usOf) ?? Number.NaN,
    bytes: results.median(String(size), ({ bytes }) => bytes) ?? Number.NaN,
  }));
  return { title, points };
}

interface Figures {
  readonly us?: number;
  readonly decideUnitUs?: number;
  readonly foldUnitUs?: number;
  readonly bytes: number;
}

const usOf = ({ us, decideUnitUs = 0, foldUnitUs = 0 }: Figures): number => us ?? decideUnitUs + foldUnitUs;

function goalOf({ title, points }: GrowthPanel): Goal {
  const [few, many] = [points[0], points.at(-1)];
  const found = few === undefined || many === undefined ? null : many.us / few.us;
  return { what: `growth, ${title}: time for one of ${many?.size} ÷ of ${few?.size}`, atMost: 1.5, found, unit: '×' };
}
