import { startDurableCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { runJob } from '../harness/job.ts';
import type { Bench, Goal, Part } from '../harness/part.ts';

interface Blows {
  readonly blows: number;
  readonly calls: number;
  readonly repeated: number;
  readonly lost: number;
  readonly takeovers: number;
  readonly takeoverMs: number;
  readonly longestMs: number | null;
}

interface Quest {
  readonly wallMs: number;
  readonly idealMs: number;
  readonly ratio: number;
}

interface Waiting {
  readonly kilobytes: number;
  /** Transactions a second with few runs and with all of them. */
  readonly few: number;
  readonly all: number;
}

type Measure = <T extends object>(job: string, settings: object) => Promise<T>;

/** Workers as processes: what becomes of runs when they die or freeze, and how well units spread over them. */
export const workers: Part = {
  name: 'workers',
  title: 'Workers that share a journal',
  async run(bench) {
    const server = await startDurableCluster();
    if (server === null) return { tables: [], goals: [], notes: ['Skipped: no PostgreSQL is installed.'] };
    const measure: Measure = async (job, settings) =>
      runJob(`jobs/${job}.ts`, {
        url: await server.database(),
        folder: bench.folder(`${job}-${++count}`),
        ...settings,
      });
    let count = 0;
    try {
      return await measured(bench, measure);
    } finally {
      server.dispose();
    }
  },
};

async function measured(bench: Bench, measure: Measure) {
  const shared = { workers: 3, trees: 2, modelMs: 400 };
  bench.say('workers, killed');
  // 500 blows take more than ten minutes.
  const kills = bench.quick ? 2 : bench.long === true ? 500 : 20;
  const killed = await measure<Blows>('cluster-kills', { ...shared, blows: kills, signal: 'SIGKILL', paceMs: 1500 });
  bench.say('workers, frozen');
  const blows = bench.quick ? 1 : 5;
  const frozen = await measure<Blows>('cluster-kills', { ...shared, blows, signal: 'SIGSTOP', paceMs: 1500 });
  bench.say('workers, a quest');
  const quest = await measure<Quest>('cluster-quest', { workers: 3, slots: 4, steps: 24, modelMs: 2000 });
  bench.say('workers, waiting runs');
  const waiting = await measure<Waiting>('cluster-waiting', { runs: bench.quick ? 50 : 1000 });
  return { tables: tablesOf({ killed, frozen, quest, waiting }), goals: goalsOf({ killed, frozen, quest, waiting }) };
}

interface Found {
  readonly killed: Blows;
  readonly frozen: Blows;
  readonly quest: Quest;
  readonly waiting: Waiting;
}

const tablesOf = ({ killed, frozen, quest, waiting }: Found) => [
  {
    title: 'Of three workers one is struck again and again',
    columns: ['blow', 'blows', 'calls', 'asked again', 'lost', 'takeovers', 'median, ms', 'longest, ms'],
    rows: Object.entries({ 'kill -9': killed, 'frozen for 7 s': frozen }).map(([name, found]) => [
      name,
      found.blows,
      found.calls,
      found.repeated,
      found.lost,
      found.takeovers,
      found.takeoverMs,
      found.longestMs,
    ]),
  },
  {
    title: 'A quest of 24 steps with a model of 2 s on 3 workers with 4 slots each, and runs that wait for people',
    columns: ['what', 'found'],
    rows: [
      ['quest: wall, ms', quest.wallMs],
      ['quest: ideal, ms', quest.idealMs],
      ['a waiting run: KB of the worker’s memory', waiting.kilobytes],
      ['transactions a second with 50 of them, at rest', waiting.few],
      ['transactions a second with all of them, at rest', waiting.all],
    ],
  },
];

const goalsOf = ({ killed, frozen, quest, waiting }: Found): readonly Goal[] => [
  { what: 'workers, kill -9: finished calls asked again', atMost: 0, found: killed.repeated, unit: '' },
  { what: 'workers, kill -9: units lost', atMost: 0, found: killed.lost, unit: '' },
  { what: 'workers, kill -9: until others go on, median', atMost: 3000, found: killed.takeoverMs, unit: 'ms' },
  { what: 'workers, frozen: until others go on, median', atMost: 6000, found: frozen.takeoverMs, unit: 'ms' },
  { what: 'workers: a quest of 24 steps on 3 × 4 slots, wall ÷ ideal', atMost: 1.25, found: quest.ratio, unit: '×' },
  { what: 'workers: memory of a run that waits for a person', atMost: 30, found: waiting.kilobytes, unit: 'KB' },
  { what: 'workers: transactions a second at rest', atMost: 20, found: waiting.all, unit: '' },
];
