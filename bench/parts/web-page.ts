import { fileURLToPath } from 'node:url';
import type { RecordPage } from '../../src/protocol/web/record-page.ts';
import { interleave, type Results } from '../harness/interleave.ts';
import { runJob, serveJob } from '../harness/job.ts';
import { pageSize } from '../harness/page-size.ts';
import type { Bench, Goal, Part, Table } from '../harness/part.ts';
import { percentile } from '../harness/statistics.ts';
import { startServer, type TroupeServer } from '../harness/troupe-server.ts';
import { hasBrowser, type Note, type SlowNetwork } from '../harness/watched-page.ts';

const PAGE = fileURLToPath(new URL('../../dist/web', import.meta.url));
const MOST_KB = 250;
const STATES = 200;
const PACE_MS = 100;
const SLOW_NETWORK: SlowNetwork = { kbitPerSecond: 400, latencyMs: 400 };

/** The page in a real browser beside an empty page of React: until a long run is drawn, and from news to their picture. */
export const webPage: Part = {
  name: 'web-page',
  title: 'The page in a browser',
  async run(bench) {
    const size = pageSize(PAGE);
    const sizeKb = size.sentBytes / 1000;
    if (sizeKb > MOST_KB)
      throw new Error(`The page loads ${Math.round(sizeKb)} kB of JavaScript before anything is shown.`);
    const goals = [
      { what: 'page: JavaScript before lazy parts, as it is sent', atMost: MOST_KB, found: sizeKb, unit: 'kB' },
    ];
    if (!hasBrowser()) return { tables: [], goals, notes: ['There is no Chromium here.'] };
    const empty = await serveJob('jobs/page-empty.ts', { paceMs: PACE_MS });
    const home = bench.folder('page');
    const server = await startServer(home);
    try {
      const stage = { bench, home, server, empty: (empty.figures as { url: string }).url };
      const paint = await firstPaints(stage);
      const update = await updates(stage);
      return {
        tables: [paint.table, update.table],
        goals: [...paint.goals, ...update.goals, ...goals],
        notes: [
          `The page loads ${Math.round(sizeKb)} kB of JavaScript (compressed, ${size.files} files) before lazy parts.`,
        ],
      };
    } finally {
      await server.stop();
      await empty.stop();
    }
  },
};

interface Stage {
  readonly bench: Bench;
  readonly home: string;
  readonly server: TroupeServer;
  /** Where the empty page is. */
  readonly empty: string;
}

type Found = Pick<Awaited<ReturnType<Part['run']>>, 'goals'> & { readonly table: Table };

interface Paint {
  readonly headingMs: number;
  readonly drawnMs: number;
  readonly cpuMs: number;
}

async function firstPaints({ bench, home, server, empty }: Stage): Promise<Found> {
  bench.say('web-page, a run to look at');
  const filled = await runJob<Run & { records: number }>('jobs/page-run.ts', {
    home,
    states: STATES + 10,
    rounds: bench.quick ? 1 : 6,
    paceMs: 0,
  });
  const url = pageUrl(server, filled.run);
  const results = await interleave<'troupe' | 'empty', Paint>(
    bench.repetitions,
    [
      { name: 'empty', run: () => runJob<Paint>('jobs/page-paint.ts', { url: `${empty}/empty`, until: 'heading' }) },
      { name: 'troupe', run: () => runJob<Paint>('jobs/page-paint.ts', { url, until: 'node' }) },
    ],
    (text) => bench.say(text),
  );
  const drawn = results.median('troupe', ({ drawnMs }) => drawnMs);
  bench.say('web-page, a slow network');
  const slow = await runJob<Paint>('jobs/page-paint.ts', { url, until: 'node', network: SLOW_NETWORK });
  const goal = (what: string, atMost: number, found: Goal['found']): Goal => ({ what, atMost, found, unit: 'ms' });
  return {
    table: paintTable(results, filled.records),
    goals: [
      goal('page: first meaningful paint of a run with 5,000 records', 600, drawn),
      goal('page on 400 kbit/s with 400 ms latency: title, totals and tabs', 6000, slow.headingMs),
      goal('page on 400 kbit/s with 400 ms latency: graph', 8000, slow.drawnMs),
    ],
  };
}

interface Run {
  readonly run: string;
}

const pageUrl = ({ url, token }: TroupeServer, run: string): string => `${url}/runs/${run}#t=${token}`;

function paintTable(results: Results<'troupe' | 'empty', Paint>, records: number): Table {
  const drawn = ({ drawnMs }: Paint): number => drawnMs;
  const heading = ({ headingMs }: Paint): number => headingMs;
  const cpu = ({ cpuMs }: Paint): number => cpuMs;
  return {
    title: `A run with ${records.toLocaleString('en-GB')} records and ${STATES + 10} states, opened for the first time`,
    columns: ['until painted', 'ms', '÷ empty page', 'CPU ms of its main thread', '÷ empty page'],
    rows: [
      ['an empty page of React', results.median('empty', heading), 1, results.median('empty', cpu), 1],
      [
        'title, totals, time line and agents of the run',
        results.median('troupe', heading),
        results.ratio('troupe', 'empty', heading),
        null,
        null,
      ],
      [
        'and its graph',
        results.median('troupe', drawn),
        results.ratio('troupe', 'empty', drawn),
        results.median('troupe', cpu),
        results.ratio('troupe', 'empty', cpu),
      ],
    ],
  };
}

interface Watched {
  readonly notes: readonly Note[];
  readonly cpuMs: number;
}

/** How long each piece of news took until it was painted. */
interface Delays {
  readonly whole: readonly number[];
  /** Of it, inside the page. */
  readonly inPage: readonly number[];
  readonly cpuMs: number;
}

async function updates({ bench, home, server, empty }: Stage): Promise<Found> {
  const count = bench.quick ? 20 : STATES;
  bench.say(`web-page, ${count} updates`);
  const settings = { ready: 'heading', updates: count };
  const bare = await runJob<Watched>('jobs/page-updates.ts', { url: `${empty}/empty?live=1`, ...settings });
  const live = await serveJob('jobs/page-run.ts', { home, states: STATES, rounds: 1000, paceMs: PACE_MS });
  try {
    const { run } = live.figures as Run;
    const url = pageUrl(server, run);
    const watched = await runJob<Watched>('jobs/page-updates.ts', { url, ...settings, ready: 'node' });
    const own = troupeDelays(watched, await enteredAt(server, run));
    const other = emptyDelays(bare);
    const p95 = percentile(own.whole, 0.95);
    return {
      table: updateTable(other, own),
      goals: [{ what: `page: update to paint with ${STATES} states, p95`, atMost: 50, found: p95, unit: 'ms' }],
    };
  } finally {
    await live.stop();
  }
}

const updatesIn = ({ notes }: Watched): readonly Note[] => notes.filter(({ what }) => what === 'update');

/** It is told the time, and shows it. */
function emptyDelays(watched: Watched): Delays {
  return { whole: updatesIn(watched).map(({ at, text }) => at - Number(text)), inPage: [], cpuMs: watched.cpuMs };
}

/** When each state was entered, in order; by its record, so before that was on the disk. */
async function enteredAt(server: TroupeServer, run: string): Promise<readonly Entered[]> {
  const found: Entered[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page = (await server.get(`/api/runs/${run}/records?after=${after}`)) as unknown as RecordPage;
    for (const { record } of page.records) {
      if (record.fact.kind === 'state.entered') found.push({ state: record.fact.state, at: record.at });
    }
    ({ after } = page);
  }
  return found;
}

interface Entered {
  readonly state: string;
  readonly at: number;
}

/** News is painted once the state it tells of, or a later one, is shown as active. */
function troupeDelays(watched: Watched, entered: readonly Entered[]): Delays {
  const paints = updatesIn(watched).map(({ at, text }) => ({
    at,
    place: entered.findLastIndex((one) => one.state === text && one.at <= at),
  }));
  const first = paints[0]?.place ?? 0;
  const last = paints.at(-1)?.place ?? -1;
  const whole = entered.slice(first, last + 1).map((one, index) => {
    const painted = paints.find(({ place }) => place >= first + index);
    return (painted?.at ?? Number.NaN) - one.at;
  });
  const heard = watched.notes.filter(({ what }) => what === 'heard');
  const inPage = heard.flatMap(({ at }) => {
    const painted = paints.find((paint) => paint.at >= at);
    return painted === undefined ? [] : [painted.at - at];
  });
  return { whole, inPage, cpuMs: watched.cpuMs };
}

function updateTable(empty: Delays, own: Delays): Table {
  const ratio = (share: number): number => percentile(own.whole, share) / percentile(empty.whole, share);
  const row = (what: string, delays: readonly number[], cpuMs: number | null) => [
    what,
    percentile(delays, 0.5),
    percentile(delays, 0.95),
    percentile(delays, 1),
    cpuMs,
  ];
  return {
    title: `From news to their picture, a graph of ${STATES} states, ten steps a second, ms`,
    columns: ['page', 'p50', 'p95', 'longest', 'CPU of its main thread'],
    rows: [
      row('an empty page of React that shows a word it is sent', empty.whole, empty.cpuMs),
      row('from the engine’s record to the run’s picture', own.whole, own.cpuMs),
      row('of it in the page, from the batch it hears', own.inPage, null),
      ['÷ empty page', ratio(0.5), ratio(0.95), ratio(1), own.cpuMs / empty.cpuMs],
    ],
  };
}
