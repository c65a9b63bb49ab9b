import { runJob, serveJob } from '../harness/job.ts';
import type { Bench, Part } from '../harness/part.ts';
import { median } from '../harness/statistics.ts';
import { startServer } from '../harness/troupe-server.ts';

const RUNS = 50;
const PER_SECOND = 20;

/** The page's server: from its start to its first answer over a large journal, and many live runs through one stream. */
export const webLive: Part = {
  name: 'web-live',
  title: 'The page’s server',
  async run(bench) {
    const home = bench.folder('web');
    const oldRuns = bench.quick ? 20 : 200;
    bench.say('web-live, filling a journal');
    const { records } = await runJob('jobs/web-fill.ts', { home, runs: oldRuns, records: 500 });
    const starts = await startTimes(bench, home);
    const live = await listen(bench, home);
    return {
      tables: [startTable(starts, records ?? 0), liveTable(live)],
      goals: [
        { what: 'troupe serve: start to first answer', atMost: 1000, found: starts.firstMs, unit: 'ms' },
        { what: `${RUNS} live runs: delivery, p99`, atMost: 250, found: live.p99, unit: 'ms' },
        {
          what: `${RUNS} live runs: memory held at the end ÷ in the middle`,
          atMost: 1.15,
          found: live.endHeapMb / live.middleHeapMb,
          unit: '×',
        },
      ],
    };
  },
};

interface Starts {
  readonly firstMs: number;
  readonly pageMs: number;
  readonly wholeMs: number;
}

async function startTimes(bench: Bench, home: string): Promise<Starts> {
  const found: Starts[] = [];
  for (let round = 0; round < Math.max(3, bench.repetitions); round += 1) {
    bench.say(`web-live, start ${round + 1}`);
    const began = performance.now();
    const server = await startServer(home);
    try {
      const first = await server.get('/api/runs');
      const firstMs = performance.now() - began;
      await server.get('/api/runs/old-1/records');
      const pageMs = performance.now() - began - firstMs;
      for (let unread = first['unread']; unread !== 0;) ({ unread } = await server.get('/api/runs?limit=1'));
      found.push({ firstMs, pageMs, wholeMs: performance.now() - began });
    } finally {
      await server.stop();
    }
  }
  const middle = (of: (one: Starts) => number): number => median(found.slice(1).map(of));
  return {
    firstMs: middle((one) => one.firstMs),
    pageMs: middle((one) => one.pageMs),
    wholeMs: middle((one) => one.wholeMs),
  };
}

interface Live {
  readonly seconds: number;
  readonly records: number;
  readonly cards: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  readonly late: number;
  readonly startMb: number;
  readonly middleMb: number;
  readonly endMb: number;
  /** What is left after a collection. */
  readonly middleHeapMb: number;
  readonly endHeapMb: number;
}

async function listen(bench: Bench, home: string): Promise<Live> {
  const seconds = bench.long === true ? 600 : bench.quick ? 10 : 60;
  const server = await startServer(home, { isInspected: true });
  try {
    bench.say(`web-live, ${RUNS} live runs for ${seconds} s`);
    const writers = await serveJob('jobs/web-write.ts', { home, runs: RUNS, perSecond: PER_SECOND, seconds });
    const { url, token, pid, inspector } = server;
    const records = seconds * PER_SECOND + 2;
    const found = await runJob<Omit<Live, 'seconds'>>('jobs/web-listen.ts', {
      url,
      token,
      pid,
      inspector,
      runs: RUNS,
      records,
    });
    await writers.stop();
    return { seconds, ...found };
  } finally {
    await server.stop();
  }
}

const startTable = ({ firstMs, pageMs, wholeMs }: Starts, records: number) => ({
  title: `troupe serve with ${records.toLocaleString('en-GB')} records in the journal`,
  columns: ['what', 'ms'],
  rows: [
    ['from the start of the process to the first page of the board', firstMs],
    ['then a page of the records of one run', pageMs],
    ['from the start until every run is read, so that all counts are exact', wholeMs],
  ],
});

const liveTable = (live: Live) => ({
  title: `${RUNS} live runs with ${PER_SECOND} records a second each, ${live.seconds} s, one stream`,
  columns: [
    'records',
    'cards',
    'delivery p50, ms',
    'p99',
    'longest',
    'timers late, p99',
    'server MB at start',
    'middle',
    'end',
    'of it held, middle',
    'end',
  ],
  rows: [
    [
      live.records,
      live.cards,
      live.p50,
      live.p99,
      live.most,
      live.late,
      live.startMb,
      live.middleMb,
      live.endMb,
      live.middleHeapMb,
      live.endHeapMb,
    ],
  ],
});
