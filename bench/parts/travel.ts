import { interleave } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Part } from '../harness/part.ts';
import { startDurableCluster } from '../../src/journal/postgres/testing/test-cluster.ts';

interface Journey {
  readonly publishMs: number;
  readonly fetchMs: number;
  readonly bytes: number;
  readonly packed: number;
  readonly ratio: number;
}

interface Figures {
  readonly whole: Journey;
  readonly changed: Journey;
}

type Way = 'folder' | 'PostgreSQL';

/** Bringing a workspace to a second worker. */
export const travel: Part = {
  name: 'travel',
  title: 'Files on a second worker',
  async run(bench) {
    const files = bench.quick ? 300 : 3000;
    const postgres = await startDurableCluster();
    let count = 0;
    const measure = (url: () => Promise<string | null>) => async () => {
      count += 1;
      return runJob<Figures>('jobs/travel.ts', { folder: bench.folder(`travel-${count}`), files, url: await url() });
    };
    const ways: { name: Way; run: () => Promise<Figures> }[] = [{ name: 'folder', run: measure(async () => null) }];
    if (postgres !== null) {
      ways.push({ name: 'PostgreSQL', run: measure(() => postgres.database()) });
    }
    const results = await interleave(bench.repetitions, ways, (text) => bench.say(`travel, ${text}`));
    postgres?.dispose();
    const row = (what: string, read: (figures: Figures) => number) => [
      what,
      results.median('folder', read),
      postgres === null ? null : results.median('PostgreSQL', read),
    ];
    return {
      tables: [
        {
          title: `A workspace of ${files.toLocaleString('en')} files on a second worker`,
          columns: ['what', 'shared folder', 'PostgreSQL'],
          rows: [
            row('whole: published, ms', ({ whole }) => whole.publishMs),
            row('whole: fetched, ms', ({ whole }) => whole.fetchMs),
            row('whole: KB sent', ({ whole }) => whole.bytes / 1000),
            row('whole: KB as git packs it', ({ whole }) => whole.packed / 1000),
            row('10 changed files: published, ms', ({ changed }) => changed.publishMs),
            row('10 changed files: fetched, ms', ({ changed }) => changed.fetchMs),
            row('10 changed files: KB sent', ({ changed }) => changed.bytes / 1000),
            row('10 changed files: KB as git packs it', ({ changed }) => changed.packed / 1000),
          ],
        },
      ],
      goals: [
        {
          what: 'bytes sent for a whole workspace ÷ packed by git',
          atMost: 1.1,
          found: results.median('folder', ({ whole }) => whole.ratio),
          unit: '×',
        },
        {
          what: 'bytes sent for 10 changed files ÷ packed by git',
          atMost: 1.1,
          found: results.median('folder', ({ changed }) => changed.ratio),
          unit: '×',
        },
      ],
    };
  },
};
