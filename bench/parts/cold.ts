import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleave, type Contestant } from '../harness/interleave.ts';
import { serveJob } from '../harness/job.ts';
import type { Bench, Goal, Part } from '../harness/part.ts';
import { processTime, type ProcessTime } from '../harness/process-time.ts';
import { makeTwoSteps } from '../harness/two-steps.ts';

type Name = 'node' | 'version' | 'scripted' | 'sdk' | 'sdk-cached' | 'api';

const LABELS: Readonly<Record<Name, string>> = {
  node: 'node -e 0',
  version: 'troupe --version',
  scripted: 'troupe run, two steps, durable, scripted actor',
  sdk: 'node that imports ai and its openai-compatible provider',
  'sdk-cached': 'the same with the compile cache on',
  api: 'troupe run, two steps, durable, API actor',
};

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE = process.execPath;
const TROUPE = join(ROOT, 'bin/troupe.js');
const PAIRS = 15;

/** Whole processes, from nothing to their end. */
export const cold: Part = {
  name: 'cold',
  title: 'Cold start',
  async run(bench) {
    const server = await serveJob('jobs/model-server.ts', { delayMs: 0 });
    try {
      const contestants = contestantsOf(bench, (server.figures as { port: number }).port);
      // Once before it counts, so that the compile cache is there as it is for a user's second command.
      for (const contestant of contestants) await contestant.run(-1);
      const rounds = bench.quick ? 3 : Math.max(PAIRS, bench.repetitions);
      const results = await interleave(rounds, contestants, (text) => bench.say(`cold, ${text}`));
      const goals: readonly (readonly [Name, Name, number])[] = [
        ['version', 'node', 2],
        ['scripted', 'node', 4.5],
        ['api', 'sdk', 1.3],
      ];
      return {
        tables: [
          {
            title: `Cold start, ${rounds} interleaved rounds`,
            columns: ['process', 'CPU ms', '÷ bare node', 'wall ms', '÷ bare node'],
            rows: results.names.map((name) => [
              LABELS[name],
              results.median(name, cpu),
              results.ratio(name, 'node', cpu),
              results.median(name, wall),
              results.ratio(name, 'node', wall),
            ]),
          },
        ],
        goals: goals.flatMap(([name, to, atMost]): readonly Goal[] => [
          {
            what: `cold start, CPU: ${LABELS[name]} ÷ ${LABELS[to]}`,
            atMost,
            found: results.ratio(name, to, cpu),
            unit: '×',
          },
          {
            what: `cold start, wall: ${LABELS[name]} ÷ ${LABELS[to]}`,
            atMost,
            found: results.ratio(name, to, wall),
            unit: '×',
          },
        ]),
      };
    } finally {
      await server.stop();
    }
  },
};

const cpu = (time: ProcessTime): number => time.cpuMs;
const wall = (time: ProcessTime): number => time.wallMs;

function contestantsOf(bench: Bench, port: number): readonly Contestant<Name, ProcessTime>[] {
  const cache = bench.folder('cache');
  const run = (name: Name, words: readonly string[], environment = {}): Contestant<Name, ProcessTime> => ({
    name,
    run: async () => processTime({ words: [NODE, ...words], folder: ROOT, environment }),
  });
  const troupe = (name: Name, model: string): Contestant<Name, ProcessTime> => {
    const folder = makeTwoSteps(bench.folder('project'), model);
    const words = [NODE, TROUPE, 'run', 'two_steps.json', 'Do it.', '--json'];
    return {
      name,
      run: async () => processTime({ words, folder, environment: { TROUPE_HOME: join(folder, 'home') } }),
    };
  };
  return [
    run('node', ['-e', '0']),
    run('version', [TROUPE, '--version']),
    troupe('scripted', '{ provider: scripted, scenario: scenario.yaml }'),
    run('sdk', ['--input-type=module', '-e', IMPORTS]),
    run('sdk-cached', ['--input-type=module', '-e', IMPORTS], { NODE_COMPILE_CACHE: cache }),
    troupe('api', `{ provider: openai-compatible, model: bench, base_url: "http://127.0.0.1:${port}/v1" }`),
  ];
}

const IMPORTS = "await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')])";
