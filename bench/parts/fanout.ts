import { interleave, type Contestant, type Results } from '../harness/interleave.ts';
import { runJob, serveJob } from '../harness/job.ts';
import type { Bench, Goal, Part, Table } from '../harness/part.ts';
import type { FanoutReport } from '../jobs/fanout-measure.ts';
import { MODEL_MS } from '../workload.ts';

type Name = 'bare' | 'troupe' | 'xstate' | 'mastra' | 'langgraph';
type DurableName = 'bare' | 'troupe';

interface OverHttp extends FanoutReport {
  /** Troupe only. */
  readonly repeatedCalls?: number;
  /** Failed calls by their code, Troupe only. */
  readonly failures?: Readonly<Record<string, number>>;
}

interface Counted extends FanoutReport {
  readonly transactions: number;
  readonly textBytes: number;
}

/** Many runs at once. */
export const fanout: Part = {
  name: 'fanout',
  title: 'Fan-out: 3 implementers, join, 2 reviewers, join, decision; all runs at once, a model of 50 ms',
  async run(bench) {
    const runs = bench.quick ? 100 : 1000;
    const memory = await inMemory(bench, runs);
    const durable = await onDisk(bench, runs);
    const { http, failures } = await overHttp(bench, runs);
    return {
      notes: [failuresText(failures)],
      tables: [
        tableOf(memory, `${runs} runs at once, memory journal, model in the process`),
        tableOf(
          durable,
          `${runs} runs at once, SQLite journal, FULL; bare: the same appends in one transaction a turn of the event loop`,
        ),
        tableOf(http, `${runs} runs at once, memory journal, model over HTTP; bare: the same requests with fetch`),
      ],
      goals: [
        ...goalsOf(`fan-out, ${runs} runs, memory journal`, memory, { bare: 'bare promises', atMost: 1.6, lagMs: 25 }),
        ...goalsOf(`fan-out, ${runs} runs, SQLite journal`, durable, { bare: 'bare appends', atMost: 2, lagMs: 40 }),
        ...goalsOf(`fan-out, ${runs} runs, over HTTP`, http, { bare: 'bare fetch', atMost: 1, lagMs: 100 }),
        {
          what: `fan-out, ${runs} runs, over HTTP: peak memory, Troupe ÷ bare fetch`,
          atMost: 1,
          found: http.ratio('troupe', 'bare', (figures) => figures.warm.memoryMb),
          unit: '×',
        },
        {
          what: `fan-out, ${runs} runs, over HTTP: calls made again after a lost connection`,
          atMost: 0,
          found: Math.max(...http.all('troupe').map((one) => one.repeatedCalls ?? 0)),
          unit: '',
        },
      ],
    };
  },
};

interface Promised {
  readonly bare: string;
  readonly atMost: number;
  readonly lagMs: number;
}

function goalsOf<Names extends string>(
  what: string,
  results: Results<Names | 'troupe' | 'bare', FanoutReport>,
  { bare, atMost, lagMs }: Promised,
): readonly Goal[] {
  return [
    { what: `${what}, warm: Troupe ÷ ${bare}`, atMost, found: results.ratio('troupe', 'bare', warmWall), unit: '×' },
    {
      what: `${what}, warm: lag of the event loop, p99`,
      atMost: lagMs,
      found: results.median('troupe', (figures) => figures.warm.lagMs),
      unit: 'ms',
    },
  ];
}

const wall = (figures: FanoutReport): number => figures.wallMs;
const warmWall = (figures: FanoutReport): number => figures.warm.wallMs;

function inMemory(bench: Bench, runs: number): Promise<Results<Name, FanoutReport>> {
  const job = (name: Name, file: string): Contestant<Name, FanoutReport> => ({
    name,
    run: () => runJob<FanoutReport>(file, { runs }),
  });
  const own = [job('bare', 'jobs/fanout-bare.ts'), job('troupe', 'jobs/fanout-troupe.ts')];
  const peers = [
    job('xstate', 'peers/jobs/fanout-xstate.mjs'),
    job('mastra', 'peers/jobs/fanout-mastra.mjs'),
    job('langgraph', 'peers/jobs/fanout-langgraph.mjs'),
  ];
  const contestants = bench.peers ? [...own, ...peers] : own;
  return interleave(bench.repetitions, contestants, (text) => bench.say(`fanout, memory, ${text}`));
}

async function onDisk(bench: Bench, runs: number): Promise<Results<DurableName, FanoutReport>> {
  const troupe = (): Promise<Counted> =>
    runJob<Counted>('jobs/fanout-troupe.ts', { runs, folder: bench.folder('fanout') });
  let last: Counted | null = null;
  const contestants: readonly Contestant<DurableName, FanoutReport>[] = [
    {
      name: 'bare',
      async run() {
        last ??= await troupe();
        const { transactions, textBytes } = last;
        const folder = bench.folder('fanout-bare');
        return runJob<FanoutReport>('jobs/fanout-bare-durable.ts', { runs, folder, transactions, textBytes });
      },
    },
    { name: 'troupe', run: async () => (last = await troupe()) },
  ];
  return interleave(bench.repetitions, contestants, (text) => bench.say(`fanout, durable, ${text}`));
}

interface OverHttpFound {
  readonly http: Results<DurableName, OverHttp>;
  /** Those of all rounds. */
  readonly failures: ReadonlyMap<string, number>;
}

async function overHttp(bench: Bench, runs: number): Promise<OverHttpFound> {
  const server = await serveJob('jobs/model-server.ts', { delayMs: MODEL_MS });
  const { port } = server.figures as { port: number };
  const failures = new Map<string, number>();
  const troupe = async (): Promise<OverHttp> => {
    const found = await runJob<OverHttp>('jobs/fanout-troupe.ts', { runs, port });
    for (const [code, count] of Object.entries(found.failures ?? {})) {
      failures.set(code, (failures.get(code) ?? 0) + count);
    }
    return found;
  };
  try {
    const contestants: readonly Contestant<DurableName, OverHttp>[] = [
      { name: 'bare', run: () => runJob<OverHttp>('jobs/fanout-bare-http.ts', { runs, port }) },
      { name: 'troupe', run: troupe },
    ];
    const http = await interleave(bench.repetitions, contestants, (text) => bench.say(`fanout, http, ${text}`));
    return { http, failures };
  } finally {
    await server.stop();
  }
}

function failuresText(failures: ReadonlyMap<string, number>): string {
  const counted = Array.from(failures, ([code, count]) => `${code} ${count} times`);
  return `Calls that failed over HTTP, in all rounds: ${counted.length === 0 ? 'none' : counted.join(', ')}.`;
}

function tableOf<Names extends string>(results: Results<Names | 'troupe', FanoutReport>, title: string): Table {
  return {
    title,
    columns: [
      'engine',
      'wall ms, first time',
      'Troupe takes of it',
      'wall ms, warm',
      'Troupe takes of it',
      'CPU ms, warm',
      'event-loop lag p99 ms, warm',
      'peak MB',
    ],
    rows: results.names.map((name) => [
      name,
      results.median(name, wall),
      results.ratio('troupe', name, wall),
      results.median(name, warmWall),
      results.ratio('troupe', name, warmWall),
      results.median(name, (figures) => figures.warm.cpuMs),
      results.median(name, (figures) => figures.warm.lagMs),
      results.median(name, (figures) => figures.warm.memoryMb),
    ]),
  };
}
