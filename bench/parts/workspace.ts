import { interleave } from '../harness/interleave.ts';
import type { Results } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Goal, Part, Table } from '../harness/part.ts';
import type { ProcessTime } from '../harness/process-time.ts';

type What =
  | 'copy'
  | 'beginCold'
  | 'openFirst'
  | 'openSecond'
  | 'recordFirst'
  | 'beginWarm'
  | 'status'
  | 'record'
  | 'restore'
  | 'diff'
  | 'merge';
type Figures = Readonly<Record<What, ProcessTime>>;
type Size = '1,000' | '10,000';
type Kind = keyof ProcessTime;

/** Places for agents to work in, and what each turn of an agent costs there. */
export const workspace: Part = {
  name: 'workspace',
  title: 'Workspaces',
  async run(bench) {
    const rounds = bench.quick ? 2 : 10;
    const measure = (files: number) => () =>
      runJob<Figures>('jobs/workspace.ts', { folder: bench.folder(`workspace-${files}`), files, rounds });
    const contestants: { name: Size; run: () => Promise<Figures> }[] = [{ name: '1,000', run: measure(1000) }];
    if (!bench.quick) contestants.push({ name: '10,000', run: measure(10_000) });
    const results = await interleave(bench.repetitions, contestants, (text) => bench.say(`workspace, ${text}`));
    return { tables: results.names.map((size) => tableOf(results, size)), goals: goalsOf(results) };
  },
};

interface Row {
  readonly label: string;
  readonly parts: readonly What[];
  /** What it is held against. */
  readonly to: What;
}

const ROWS: readonly Row[] = [
  { label: '`cp -a` of the project', parts: ['copy'], to: 'copy' },
  { label: 'the project recorded for the first time', parts: ['beginCold'], to: 'copy' },
  { label: 'first workspace', parts: ['openFirst'], to: 'copy' },
  { label: 'both: from nothing to the first workspace', parts: ['beginCold', 'openFirst'], to: 'copy' },
  { label: 'second workspace', parts: ['openSecond'], to: 'copy' },
  { label: '`git status`, 10 files changed', parts: ['status'], to: 'status' },
  { label: 'first record of a new workspace', parts: ['recordFirst'], to: 'status' },
  { label: 'record, 10 files changed', parts: ['record'], to: 'status' },
  { label: 'the project recorded again', parts: ['beginWarm'], to: 'status' },
  { label: 'restore, 10 files changed', parts: ['restore'], to: 'status' },
  { label: 'diff of 10 files', parts: ['diff'], to: 'status' },
  { label: 'merge, 10 files changed on each side', parts: ['merge'], to: 'status' },
];

function tableOf(results: Results<Size, Figures>, size: Size): Table {
  const cells = (row: Row, kind: Kind) => [
    results.median(size, (figures) => sumOf(figures, row.parts, kind)),
    results.median(size, (figures) => ratioOf(figures, row, kind)),
  ];
  return {
    title: `Workspaces of ${size} files`,
    columns: ['what', 'CPU ms', '÷ `cp -a` or `git status`', 'wall ms', '÷ `cp -a` or `git status`'],
    rows: ROWS.map((row) => [row.label, ...cells(row, 'cpuMs'), ...cells(row, 'wallMs')]),
  };
}

function sumOf(figures: Figures, parts: readonly What[], kind: Kind): number {
  return parts.reduce((sum, part) => sum + figures[part][kind], 0);
}

/** Within one process, so that a slow minute slows both sides. */
function ratioOf(figures: Figures, row: Row, kind: Kind): number {
  return sumOf(figures, row.parts, kind) / figures[row.to][kind];
}

const GOALS: readonly (readonly [string, Omit<Row, 'label'>])[] = [
  ['from nothing to the first workspace ÷ `cp -a`', { parts: ['beginCold', 'openFirst'], to: 'copy' }],
  ['second workspace ÷ `cp -a`', { parts: ['openSecond'], to: 'copy' }],
  ['record, 10 files changed ÷ `git status`', { parts: ['record'], to: 'status' }],
];

function goalsOf(results: Results<Size, Figures>): readonly Goal[] {
  const kinds = [
    ['CPU', 'cpuMs'],
    ['wall', 'wallMs'],
  ] as const;
  return GOALS.flatMap(([what, row]) =>
    kinds.map(([label, kind]) => ({
      what: `workspace, 10,000 files, ${label}: ${what}`,
      atMost: 2,
      found: results.names.includes('10,000')
        ? results.median('10,000', (figures) => ratioOf(figures, { label, ...row }, kind))
        : null,
      unit: '×',
    })),
  );
}
