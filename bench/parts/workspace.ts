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
  | 'overlayFirst'
  | 'overlaySecond'
  | 'recordFirst'
  | 'beginWarm'
  | 'status'
  | 'record'
  | 'restore'
  | 'diff'
  | 'merge';
/** Some can be missing where the system does not offer what they need. */
type Figures = Readonly<Partial<Record<What, ProcessTime>>>;
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
  { label: 'first workspace as an overlay, with what it lies on', parts: ['overlayFirst'], to: 'copy' },
  { label: 'second workspace as an overlay', parts: ['overlaySecond'], to: 'copy' },
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
  return parts.reduce((sum, part) => sum + (figures[part]?.[kind] ?? Number.NaN), 0);
}

/** Within one process, so that a slow minute slows both sides. */
function ratioOf(figures: Figures, row: Row, kind: Kind): number {
  return sumOf(figures, row.parts, kind) / sumOf(figures, [row.to], kind);
}

interface Promised extends Row {
  readonly atMost: number;
}

const GOALS: readonly Promised[] = [
  {
    label: 'from nothing to the first workspace ÷ `cp -a`',
    parts: ['beginCold', 'openFirst'],
    to: 'copy',
    atMost: 2,
  },
  { label: 'second workspace ÷ `cp -a`', parts: ['openSecond'], to: 'copy', atMost: 2 },
  { label: 'second workspace as an overlay ÷ `cp -a`', parts: ['overlaySecond'], to: 'copy', atMost: 0.2 },
  { label: 'record, 10 files changed ÷ `git status`', parts: ['record'], to: 'status', atMost: 2 },
];

const KINDS = [
  ['CPU', 'cpuMs'],
  ['wall', 'wallMs'],
] as const;

function goalsOf(results: Results<Size, Figures>): readonly Goal[] {
  return GOALS.flatMap((row) =>
    KINDS.map(([name, kind]) => {
      const found = results.has('10,000') ? results.median('10,000', (figures) => ratioOf(figures, row, kind)) : null;
      const isKnown = found !== null && Number.isFinite(found);
      const what = `workspace, 10,000 files, ${name}: ${row.label}`;
      return { what, atMost: row.atMost, found: isKnown ? found : null, unit: '×' };
    }),
  );
}
