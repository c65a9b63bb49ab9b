import { interleave, type Results } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Bench, Part, Table } from '../harness/part.ts';

interface One {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly aloneWallMs: number;
  readonly aloneCpuMs: number;
  readonly commandMs: number;
  readonly criticalMs: number;
  readonly transactions: number;
  readonly textBytes: number;
}

interface Many {
  readonly runs: number;
  readonly ended: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly oneMb: number;
  readonly manyMb: number;
}

type Model = '0' | '200';

/** Three implement, two review for five rounds, two revisions, a verified merge: all of it on the disk and in the sandbox. */
export const review: Part = {
  name: 'review',
  title: 'A reviewed task: three implementers, two reviewers, five rounds, two revisions',
  async run(bench) {
    const one = await measure(bench);
    const many = await manyAtOnce(bench);
    return {
      tables: [oneTable(one), manyTable(many)],
      goals: [
        {
          what: 'review: the whole run with a model that takes no time ÷ its writes, git and commands alone, wall',
          atMost: 3,
          found: one.median('0', ({ wallMs, aloneWallMs }) => wallMs / aloneWallMs),
          unit: '×',
        },
        {
          what: 'review: wall ÷ critical path with a model of 200 ms',
          atMost: 1.15,
          found: one.median('200', ({ wallMs, criticalMs }) => wallMs / criticalMs),
          unit: '×',
        },
        {
          what: `review: of ${sizeOf(bench)} such runs at once did not come out well`,
          atMost: 0,
          found: many.median('many', ({ runs, ended }) => runs - ended),
          unit: '',
        },
      ],
    };
  },
};

async function measure(bench: Bench): Promise<Results<Model, One>> {
  const run = (modelMs: number) => () =>
    runJob<One>('jobs/review.ts', { folder: bench.folder('review'), rounds: bench.quick ? 1 : 3, modelMs });
  const contestants: { readonly name: Model; readonly run: () => Promise<One> }[] = [
    { name: '0', run: run(0) },
    { name: '200', run: run(200) },
  ];
  return await interleave(bench.repetitions, contestants, (text) => bench.say(`review, ${text}`));
}

const sizeOf = ({ quick }: Bench): number => (quick ? 5 : 100);

/** Once is enough: it takes minutes. */
async function manyAtOnce(bench: Bench): Promise<Results<'many', Many>> {
  const run = () => runJob<Many>('jobs/review-many.ts', { folder: bench.folder('review'), runs: sizeOf(bench) });
  return await interleave(1, [{ name: 'many', run }], () => bench.say(`review, ${sizeOf(bench)} runs at once`));
}

function oneTable(results: Results<Model, One>): Table {
  const all = (read: (figures: One) => number) => [results.median('0', read), results.median('200', read)];
  return {
    title: 'One run, warm',
    columns: ['', 'a model of 0 ms', 'a model of 200 ms'],
    rows: [
      ['wall ms', ...all(({ wallMs }) => wallMs)],
      ['CPU ms, with all programs it started', ...all(({ cpuMs }) => cpuMs)],
      ['its writes, git and commands alone, wall ms', results.median('0', ({ aloneWallMs }) => aloneWallMs), null],
      ['the same, CPU ms', results.median('0', ({ aloneCpuMs }) => aloneCpuMs), null],
      ['the command alone in its sandbox, ms', ...all(({ commandMs }) => commandMs)],
      ['critical path: model and commands, ms', null, results.median('200', ({ criticalMs }) => criticalMs)],
      ['transactions', ...all(({ transactions }) => transactions)],
      ['records as text, KB', ...all(({ textBytes }) => textBytes / 1024)],
    ],
  };
}

function manyTable(results: Results<'many', Many>): Table {
  const read = (of: (figures: Many) => number) => results.median('many', of);
  return {
    title: 'Many runs at once in one process, a model of 0 ms',
    columns: ['runs', 'came out well', 'wall s', 'CPU s', 'RSS MB after one', 'most RSS MB'],
    rows: [
      [
        read(({ runs }) => runs),
        read(({ ended }) => ended),
        read(({ wallMs }) => wallMs / 1000),
        read(({ cpuMs }) => cpuMs / 1000),
        read(({ oneMb }) => oneMb),
        read(({ manyMb }) => manyMb),
      ],
    ],
  };
}
