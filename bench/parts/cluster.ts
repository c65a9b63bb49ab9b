import { startDurableCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { runJob } from '../harness/job.ts';
import type { Goal, Part } from '../harness/part.ts';

interface Figures {
  readonly bytes: number;
  readonly stepUs: number;
  readonly bareUs: number;
  readonly ratio: number;
  readonly engineUs: number;
  readonly engineRatio: number;
  readonly manyStepsPerSecond: number;
  readonly manyBarePerSecond: number;
  readonly manyRatio: number;
}

const NO_POSTGRES = 'Skipped: no PostgreSQL (install it with `apt-get install -y postgresql`).';

/** The journal that machines share, beside what its server can do at best. */
export const cluster: Part = {
  name: 'cluster',
  title: 'A journal on PostgreSQL',
  async run(bench) {
    const server = await startDurableCluster();
    if (server === null) return { tables: [], goals: goalsOf(null), notes: [NO_POSTGRES] };
    try {
      bench.say('cluster, appends beside bare commits');
      const found = await runJob<Figures>('jobs/cluster-append.ts', {
        url: await server.database(),
        steps: bench.quick ? 100 : 500,
        rounds: Math.max(5, bench.repetitions),
      });
      return { tables: [tableOf(found)], goals: goalsOf(found) };
    } finally {
      server.dispose();
    }
  },
};

const tableOf = ({ bytes, stepUs, bareUs, engineUs, ...many }: Figures) => ({
  title: `Steps of 2 records, ${bytes} bytes, beside bare commits and steps of DBOS of the same bytes, by turns in one process`,
  columns: ['what', 'Troupe', 'other', 'Troupe ÷ other'],
  rows: [
    ['one run: µs a step, beside a bare commit', stepUs, bareUs, many.ratio],
    ['one run: µs a step, beside a step of DBOS', stepUs, engineUs, many.engineRatio],
    [
      '100 runs at once: steps a second, beside bare commits over a pool of 8',
      many.manyStepsPerSecond,
      many.manyBarePerSecond,
      1 / many.manyRatio,
    ],
  ],
});

const goalsOf = (found: Figures | null): readonly Goal[] => [
  {
    what: 'PostgreSQL, one run: a step ÷ a bare commit of the same bytes',
    atMost: 1.5,
    found: found?.ratio ?? null,
    unit: '×',
  },
  {
    what: 'PostgreSQL, one run: a step ÷ a step of DBOS of the same bytes',
    atMost: 1 / 3,
    found: found?.engineRatio ?? null,
    unit: '×',
  },
  {
    what: 'PostgreSQL, 100 runs at once: time a step ÷ a bare commit over a pool of 8',
    atMost: 1 / 3,
    found: found?.manyRatio ?? null,
    unit: '×',
  },
];
