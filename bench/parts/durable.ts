import { interleave, type Contestant, type Results } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Bench, Goal, Part, Table } from '../harness/part.ts';
import { startDurableCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { median } from '../harness/statistics.ts';

type Name = 'troupe' | 'bare' | 'langgraph' | 'langgraph-delta' | 'mastra' | 'dbos';

interface Figures {
  readonly wallUs: number;
  readonly cpuUs: number;
  readonly bytes?: number;
  readonly written?: number;
  readonly memoryMb: number;
}

interface Written extends Figures {
  readonly transactions: number;
  readonly textBytes: number;
}

const LABELS: Readonly<Record<Name, string>> = {
  bare: 'bare transactions, node:sqlite, FULL',
  troupe: 'troupe, SQLite journal, FULL',
  langgraph: 'langgraph, SQLite saver',
  'langgraph-delta': 'langgraph, SQLite saver, delta channel',
  mastra: 'mastra, libsql store',
  dbos: 'dbos, PostgreSQL',
};

/** The coder/reviewer loop with every step on the disk. */
export const durable: Part = {
  name: 'durable',
  title: 'The same loop, every step on the disk',
  async run(bench) {
    const [short, long] = bench.quick ? [100, 200] : [200, 2000];
    const postgres = bench.peers ? await startDurableCluster() : null;
    try {
      const few = await measure(bench, short, postgres);
      const many = await measure(bench, long, postgres);
      const beside = [await besideBare(bench, short), await besideBare(bench, long)];
      const growth = await growthOf(bench);
      return {
        tables: [tableOf(few, short), tableOf(many, long), besideTable(beside), growth.table],
        goals: [
          ...beside.map(besideGoal),
          writtenGoal(few, short),
          writtenGoal(many, long),
          ...peerGoals(many, long),
          growth.goal,
        ],
        ...(bench.peers && postgres === null ? { notes: [NO_POSTGRES] } : {}),
      };
    } finally {
      postgres?.dispose();
    }
  },
};

const NO_POSTGRES = 'DBOS was skipped: no PostgreSQL (install it with `apt-get install -y postgresql`).';

function measure(bench: Bench, turns: number, postgres: TestCluster | null): Promise<Results<Name, Figures>> {
  let last: Written | null = null;
  const peer = (name: Name, file: string, more: object = {}): Contestant<Name, Figures> => ({
    name,
    run: () => runJob<Figures>(file, { turns, folder: bench.folder(name), ...more }),
  });
  const own: readonly Contestant<Name, Figures>[] = [
    {
      name: 'bare',
      async run() {
        // The first round has nothing to imitate yet, so Troupe runs once for its sizes alone.
        last ??= await runTroupe(bench, turns);
        const { transactions, textBytes } = last;
        return runJob<Figures>('jobs/durable-bare.ts', {
          turns,
          folder: bench.folder('bare'),
          transactions,
          textBytes,
        });
      },
    },
    { name: 'troupe', run: async () => (last = await runTroupe(bench, turns)) },
  ];
  const peers: readonly Contestant<Name, Figures>[] = [
    peer('langgraph-delta', 'peers/jobs/durable-langgraph.mjs', { delta: true }),
    {
      name: 'dbos',
      run: async () =>
        postgres === null
          ? null
          : runJob<Figures>('peers/jobs/durable-dbos.mjs', {
              turns,
              databaseUrl: await postgres.database(),
            }),
    },
    peer('mastra', 'peers/jobs/durable-mastra.mjs'),
    peer('langgraph', 'peers/jobs/durable-langgraph.mjs', { delta: false }),
  ];
  const contestants = bench.peers ? [...own, ...peers] : own;
  return interleave(bench.repetitions, contestants, (text) => bench.say(`durable, ${turns} turns, ${text}`));
}

const runTroupe = (bench: Bench, turns: number): Promise<Written> =>
  runJob<Written>('jobs/durable-troupe.ts', { turns, folder: bench.folder('troupe') });

const wall = (figures: Figures): number => figures.wallUs;

function tableOf(results: Results<Name, Figures>, turns: number): Table {
  return {
    title: `Durable loop of ${turns.toLocaleString('en-GB')} turns`,
    columns: [
      'engine',
      'µs a turn',
      'Troupe takes of it',
      'CPU µs a turn',
      'bytes kept a turn',
      'bytes written a turn',
      'peak MB',
    ],
    rows: results.names.map((name) => [
      LABELS[name],
      results.has(name) ? results.median(name, wall) : 'skipped: no PostgreSQL',
      results.ratio('troupe', name, wall),
      results.median(name, (figures) => figures.cpuUs),
      results.median(name, (figures) => (figures.bytes ?? Number.NaN) / turns),
      results.median(name, (figures) => (figures.written ?? Number.NaN) / turns),
      results.median(name, (figures) => figures.memoryMb),
    ]),
  };
}

interface Beside {
  readonly turns: number;
  readonly troupeUs: number;
  readonly bareUs: number;
  readonly ratio: number;
}

/** The two by turns in one process, so that they meet the same disk. */
async function besideBare(bench: Bench, turns: number): Promise<Beside> {
  const { textBytes } = await runTroupe(bench, turns);
  const found: Beside[] = [];
  for (let round = 0; round < Math.max(5, bench.repetitions); round += 1) {
    bench.say(`durable, ${turns} turns beside bare transactions, round ${round + 1}`);
    found.push(await runJob<Beside>('jobs/durable-beside.ts', { turns, textBytes, folder: bench.folder('beside') }));
  }
  return {
    turns,
    troupeUs: median(found.map((one) => one.troupeUs)),
    bareUs: median(found.map((one) => one.bareUs)),
    ratio: median(found.map((one) => one.ratio)),
  };
}

const besideTable = (found: readonly Beside[]): Table => ({
  title: 'Troupe and bare FULL transactions of the same bytes, by turns in one process',
  columns: ['turns', 'Troupe, µs a turn', 'bare, µs a transaction', 'ratio'],
  rows: found.map(({ turns, troupeUs, bareUs, ratio }) => [String(turns), troupeUs, bareUs, ratio]),
});

const besideGoal = ({ turns, ratio }: Beside): Goal => ({
  what: `durable, ${turns} turns: Troupe ÷ bare FULL transactions of the same bytes`,
  atMost: 1.7,
  found: ratio,
  unit: '×',
});

const writtenGoal = (results: Results<Name, Figures>, turns: number): Goal => ({
  what: `durable, ${turns} turns: bytes written ÷ bare transactions of the same bytes`,
  atMost: 1.1,
  found: results.ratio('troupe', 'bare', (figures) => figures.written ?? Number.NaN),
  unit: '×',
});

function peerGoals(results: Results<Name, Figures>, turns: number): readonly Goal[] {
  const shares: readonly (readonly [Name, number])[] = [
    ['langgraph-delta', 0.33],
    ['dbos', 0.2],
  ];
  return shares.map(([name, share]) => ({
    what: `durable, ${turns} turns: Troupe ÷ ${LABELS[name]}`,
    atMost: share,
    found: results.ratio('troupe', name, wall),
    unit: '×',
  }));
}

/** What is kept must grow with the conversation, not with its square. */
async function growthOf(bench: Bench): Promise<{ readonly table: Table; readonly goal: Goal }> {
  bench.say('durable, bytes on disk');
  const [few, many] = [await runTroupe(bench, 100), await runTroupe(bench, 1000)];
  return {
    table: {
      title: 'Bytes on the disk',
      columns: ['turns', 'bytes', 'records as text', 'transactions'],
      rows: [
        ['100', few.bytes ?? null, few.textBytes, few.transactions],
        ['1,000', many.bytes ?? null, many.textBytes, many.transactions],
      ],
    },
    goal: {
      what: 'durable: bytes on disk at 1,000 turns ÷ at 100',
      atMost: 11,
      found: (many.bytes ?? Number.NaN) / (few.bytes ?? Number.NaN),
      unit: '×',
    },
  };
}
