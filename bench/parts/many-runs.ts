import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderBytes } from '../harness/folder-bytes.ts';
import { interleave, type Results } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Bench, Goal, Part, Table } from '../harness/part.ts';
import { processTime, type ProcessTime } from '../harness/process-time.ts';
import { makeManySteps, makeTwoSteps } from '../harness/two-steps.ts';

const TROUPE = fileURLToPath(new URL('../../bin/troupe.js', import.meta.url));
const MODEL = '{ provider: scripted, scenario: scenario.yaml }';
const AT_MOST_MS = 1000;
/** How many turns the pattern of all runs has: about a hundred records. */
const TURNS = 24;

const COMMANDS = ['list', 'show', 'run', 'metrics', 'metrics --prometheus'] as const;
type Command = (typeof COMMANDS)[number];

const ARGS: Readonly<Record<Command, readonly string[]>> = {
  list: ['list'],
  show: ['show', 'bench-7'],
  run: ['run', 'two_steps.json', 'Do it.'],
  metrics: ['metrics'],
  'metrics --prometheus': ['metrics', '--prometheus'],
};

/** What must not grow with the home. */
const FLAT: ReadonlySet<Command> = new Set(['list', 'show', 'run']);

interface Home {
  readonly runs: number;
  readonly records: number;
  readonly bytes: number;
  readonly time: (args: readonly string[]) => ProcessTime;
  readonly home: string;
}

type Size = 'few' | 'many';

/** What a user waits for in a home with many runs: whole processes, from nothing to their end. */
export const manyRuns: Part = {
  name: 'many-runs',
  title: 'A home with many runs',
  async run(bench) {
    const few = await filled(bench, bench.quick ? 20 : 100);
    const many = await filled(bench, bench.quick ? 200 : 10_000);
    const first = many.time(['metrics']);
    rmSync(join(many.home, 'metrics.txt'));
    const uncounted = many.time(['metrics']);
    const found: Compared[] = [];
    for (const name of COMMANDS) found.push(await compared(bench, name, { few, many }));
    const search = await interleave(bench.repetitions, [searching('few', few), searching('many', many)], (text) =>
      bench.say(`many-runs, search, ${text}`),
    );
    const [fewRuns, manyRuns] = [few, many].map(({ runs }) => runs.toLocaleString('en-GB'));
    return {
      tables: [
        {
          title: `${manyRuns} runs, ${many.records.toLocaleString('en-GB')} records, ${megabytes(many)} MB; beside ${fewRuns} runs, ${few.records.toLocaleString('en-GB')} records, ${megabytes(few)} MB`,
          columns: ['command', 'wall ms', 'CPU ms', `CPU ms with ${fewRuns} runs`, '÷'],
          rows: [
            ...found.map(rowOf),
            ['troupe metrics, the first time', first.wallMs, first.cpuMs, null, null],
            ['troupe metrics, without kept figures', uncounted.wallMs, uncounted.cpuMs, null, null],
          ],
        },
        searchTable(search),
      ],
      goals: [
        ...found.map(({ name, times }): Goal => ({
          what: `${manyRuns} runs: troupe ${name}`,
          atMost: AT_MOST_MS,
          found: times.median('many', ({ wallMs }) => wallMs),
          unit: 'ms',
        })),
        {
          what: `${manyRuns} runs: troupe metrics, the first time`,
          atMost: AT_MOST_MS,
          found: first.wallMs,
          unit: 'ms',
        },
        ...found
          .filter(({ name }) => FLAT.has(name))
          .map(({ name, times }) =>
            flat(
              `troupe ${name}, CPU`,
              times.ratio('many', 'few', ({ cpuMs }) => cpuMs),
            ),
          ),
        flat(
          'a search',
          search.ratio('many', 'few', ({ searchMs }) => searchMs),
        ),
      ],
    };
    function flat(what: string, ratio: number | null): Goal {
      return { what: `${manyRuns} runs: ${what} ÷ with ${fewRuns} runs`, atMost: 2, found: ratio, unit: '×' };
    }
  },
};

async function filled(bench: Bench, runs: number): Promise<Home> {
  const folder = makeTwoSteps(bench.folder('many-runs'), MODEL);
  makeManySteps(folder, TURNS);
  const home = join(folder, 'home');
  const time = (args: readonly string[]): ProcessTime =>
    processTime({ words: [process.execPath, TROUPE, ...args], folder, environment: { TROUPE_HOME: home } });
  time(['run', 'many_steps.json', 'Do it.']);
  bench.say(`many-runs, writing ${runs} runs`);
  const { records = 0 } = await runJob('jobs/many-runs-fill.ts', { home, runs });
  return { runs, records, bytes: folderBytes(home), time, home };
}

interface Compared {
  readonly name: Command;
  readonly times: Results<Size, ProcessTime>;
}

async function compared(bench: Bench, name: Command, homes: Readonly<Record<Size, Home>>): Promise<Compared> {
  const contestants = (['few', 'many'] as const).map((size) => ({
    name: size,
    run: async () => homes[size].time(ARGS[name]),
  }));
  const rounds = Math.max(3, bench.repetitions);
  return { name, times: await interleave(rounds, contestants, (text) => bench.say(`many-runs, ${name}, ${text}`)) };
}

const rowOf = ({ name, times }: Compared) =>
  [
    `troupe ${name}`,
    times.median('many', ({ wallMs }) => wallMs),
    times.median('many', ({ cpuMs }) => cpuMs),
    times.median('few', ({ cpuMs }) => cpuMs),
    times.ratio('many', 'few', ({ cpuMs }) => cpuMs),
  ] as const;

interface Searched {
  readonly searchMs: number;
}

const searching = (name: Size, { home }: Home) => ({
  name,
  run: () => runJob<{ runs: number; searchMs: number }>('jobs/search-runs.ts', { home, text: 'many_steps' }),
});

const searchTable = (search: Results<Size, Searched>): Table => ({
  title: 'A search in the same homes, until a page is full',
  columns: ['ms', 'with few runs', '÷'],
  rows: [
    [
      search.median('many', ({ searchMs }) => searchMs),
      search.median('few', ({ searchMs }) => searchMs),
      search.ratio('many', 'few', ({ searchMs }) => searchMs),
    ],
  ],
});

const megabytes = ({ bytes }: Home): string => (bytes / 1e6).toFixed(0);
