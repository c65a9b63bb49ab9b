import { interleave, type Contestant, type Results } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Bench, Goal, Part, PartResult, Table } from '../harness/part.ts';
import type { Timing } from '../harness/timed.ts';

type Name = 'troupe' | 'bare' | 'xstate' | 'langgraph' | 'mastra';

interface Figures {
  readonly first: Timing;
  readonly warm: Timing;
  /** Troupe only: building the requests alone. */
  readonly request?: { readonly warm: Timing };
  readonly memoryMb: number;
}

const JOBS: Readonly<Record<Name, string>> = {
  bare: 'jobs/loop-bare.ts',
  troupe: 'jobs/loop-troupe.ts',
  xstate: 'peers/jobs/loop-xstate.mjs',
  mastra: 'peers/jobs/loop-mastra.mjs',
  langgraph: 'peers/jobs/loop-langgraph.mjs',
};

/** The coder/reviewer loop in memory. */
export const loop: Part = {
  name: 'loop',
  title: 'Coder/reviewer loop with a shared growing history, in memory',
  async run(bench) {
    const sizes = bench.quick ? [100, 200] : [200, 2000];
    const tables: Table[] = [];
    const goals: Goal[] = [];
    for (const turns of sizes) {
      const results = await measure(bench, turns);
      tables.push(tableOf(results, turns));
      goals.push(...goalsOf(results, turns));
    }
    const flat = await flatness(bench);
    return { tables: [...tables, ...flat.tables], goals: [...goals, ...flat.goals] };
  },
};

function measure(bench: Bench, turns: number): Promise<Results<Name, Figures>> {
  const names = Object.keys(JOBS) as Name[];
  const contestants = names
    .filter((name) => bench.peers || name === 'troupe' || name === 'bare')
    .map((name): Contestant<Name, Figures> => ({ name, run: () => runJob<Figures>(JOBS[name], { turns }) }));
  return interleave(bench.repetitions, contestants, (text) => bench.say(`loop, ${turns} turns, ${text}`));
}

/** Processor time, which a busy machine disturbs least. */
const warm = (figures: Figures): number => figures.warm.cpuUs;
const first = (figures: Figures): number => figures.first.cpuUs;

function tableOf(results: Results<Name, Figures>, turns: number): Table {
  return {
    title: `Loop of ${turns.toLocaleString('en-GB')} turns in memory`,
    columns: [
      'engine',
      'CPU µs a turn, warm',
      'Troupe takes of it',
      'CPU µs a turn, first run of the process',
      'Troupe takes of it',
      'wall µs a turn, warm',
      'building the request, CPU µs a turn',
      'peak MB',
    ],
    rows: results.names.map((name) => [
      name,
      results.median(name, warm),
      results.ratio('troupe', name, warm),
      results.median(name, first),
      results.ratio('troupe', name, first),
      results.median(name, (figures) => figures.warm.wallUs),
      name === 'troupe' ? results.median(name, (figures) => figures.request?.warm.cpuUs ?? 0) : null,
      results.median(name, (figures) => figures.memoryMb),
    ]),
  };
}

function goalsOf(results: Results<Name, Figures>, turns: number): readonly Goal[] {
  const goal = (peer: Name, how: 'warm' | 'first run', atMost: number): Goal => ({
    what: `loop, ${turns} turns, ${how}: Troupe ÷ ${peer}`,
    atMost,
    found: results.ratio('troupe', peer, how === 'warm' ? warm : first),
    unit: '×',
  });
  return [
    goal('xstate', 'warm', 0.55),
    goal('xstate', 'first run', 0.8),
    goal('mastra', 'warm', 0.12),
    goal('langgraph', 'first run', 0.1),
  ];
}

interface Flat {
  readonly earlyUs: number;
  readonly lateUs: number;
}

/** Long runs against short ones, and late turns against early ones of the same run; both without building the requests. */
async function flatness(bench: Bench): Promise<PartResult> {
  const lengths = await byLength(bench);
  const contestants = [{ name: 'troupe' as const, run: () => runJob<Flat>('jobs/loop-flat.ts', {}) }];
  const within = await interleave(bench.repetitions, contestants, (text) => bench.say(`loop, flat, ${text}`));
  const request = (figures: Figures): number => figures.request?.warm.cpuUs ?? 0;
  const rest = (figures: Figures): number => figures.warm.cpuUs - request(figures);
  return {
    tables: [
      {
        title: 'Troupe from 100 to 1,000 turns in memory',
        columns: ['what', 'µs a turn', 'of it building the request', 'the rest'],
        rows: [
          ...lengths.names.map((turns) => [
            `runs of ${turns} turns, CPU, warm`,
            lengths.median(turns, warm),
            lengths.median(turns, request),
            lengths.median(turns, rest),
          ]),
          ['turns 50 to 150 of a run, wall, warm', null, null, within.median('troupe', (one) => one.earlyUs)],
          ['turns 950 to 1,050 of a run, wall, warm', null, null, within.median('troupe', (one) => one.lateUs)],
        ],
      },
    ],
    goals: [
      {
        what: 'loop: a turn of a run of 1,000 ÷ of a run of 100, without building the request',
        atMost: FLAT,
        found: lengths.ratio('1000', '100', rest),
        unit: '×',
      },
      {
        what: 'loop: a turn around the 1,000th ÷ around the 100th of the same run, without building the request',
        atMost: FLAT,
        found: within.median('troupe', (one) => one.lateUs / one.earlyUs),
        unit: '×',
      },
    ],
  };
}

/** What counts as flat, given how far two measurements of the same thing are apart. */
const FLAT = 1.15;

function byLength(bench: Bench): Promise<Results<'100' | '1000', Figures>> {
  const contestants = (['100', '1000'] as const).map((name) => ({
    name,
    run: () => runJob<Figures>(JOBS.troupe, { turns: Number(name) }),
  }));
  return interleave(bench.repetitions, contestants, (text) => bench.say(`loop, flat, runs of ${text}`));
}
