import { interleave } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Part } from '../harness/part.ts';

interface Figures {
  readonly firstMs: number;
  readonly statusMs: number;
  readonly recordMs: number;
  readonly ratio: number;
  readonly restoreMs: number;
}

type Size = '1,000' | '10,000';

/** Recording a project's files and putting them back. */
export const snapshot: Part = {
  name: 'snapshot',
  title: 'Recording and restoring files',
  async run(bench) {
    const rounds = bench.quick ? 3 : 15;
    const measure = (files: number) => () =>
      runJob<Figures>('jobs/snapshot.ts', { folder: bench.folder(`snapshot-${files}`), files, rounds });
    const contestants: { name: Size; run: () => Promise<Figures> }[] = [{ name: '1,000', run: measure(1000) }];
    if (!bench.quick) contestants.push({ name: '10,000', run: measure(10_000) });
    const results = await interleave(bench.repetitions, contestants, (text) => bench.say(`snapshot, ${text}`));
    const row = (what: string, read: (figures: Figures) => number) => [
      what,
      results.median('1,000', read),
      bench.quick ? null : results.median('10,000', read),
    ];
    return {
      tables: [
        {
          title: 'Recording and restoring, ms',
          columns: ['what', '1,000 files', '10,000 files'],
          rows: [
            row('recorded for the first time', (figures) => figures.firstMs),
            row('`git status` with 10 changed files', (figures) => figures.statusMs),
            row('recorded again with 10 changed files', (figures) => figures.recordMs),
            row('restored after 10 files were changed', (figures) => figures.restoreMs),
          ],
        },
      ],
      goals: [
        {
          what: 'record of 10,000 files with 10 changed ÷ `git status`',
          atMost: 2,
          found: bench.quick ? null : results.median('10,000', (figures) => figures.ratio),
          unit: '×',
        },
        {
          what: 'restore of 10,000 files after 10 changes',
          atMost: 200,
          found: bench.quick ? null : results.median('10,000', (figures) => figures.restoreMs),
          unit: 'ms',
        },
      ],
    };
  },
};
