import { cpSync } from 'node:fs';
import { interleave, type Contestant } from '../harness/interleave.ts';
import { bundleJob } from '../harness/bundle.ts';
import { runAndKill, runJob } from '../harness/job.ts';
import type { Bench, Part } from '../harness/part.ts';

type Name = 'bare' | 'rows' | 'troupe';

interface Figures {
  /** From the order to start the process until the thing was done. */
  readonly ms: number;
}

const LABELS: Readonly<Record<Name, string>> = {
  bare: 'bare node, reads the bytes of the files',
  rows: 'bare node, reads and parses every row',
  troupe: 'troupe, until the first new call was answered',
};

/** A run killed with -9, taken over by a new process. */
export const resume: Part = {
  name: 'resume',
  title: 'Resume of a killed run in a new process',
  async run(bench) {
    const turns = bench.quick ? 100 : 1000;
    const killed = bench.folder('killed');
    bench.say('resume: makes the run');
    await runAndKill('jobs/resume-make.ts', { turns, folder: killed, run: RUN });
    const contestants = await contestantsOf(bench, killed, turns);
    for (const contestant of contestants) await contestant.run(-1);
    const results = await interleave(Math.max(15, bench.repetitions), contestants, (text) =>
      bench.say(`resume, ${text}`),
    );
    const ms = (figures: Figures): number => figures.ms;
    return {
      tables: [
        {
          title: `Resume of a run of ${turns.toLocaleString('en-GB')} turns, killed with -9`,
          columns: ['what', 'ms from the start of the process', 'Troupe takes of it'],
          rows: results.names.map((name) => [
            LABELS[name],
            results.median(name, ms),
            results.ratio('troupe', name, ms),
          ]),
        },
      ],
      goals: [
        {
          what: 'resume: first new step ÷ bare node that reads and parses the rows',
          atMost: 2,
          found: results.ratio('troupe', 'rows', ms),
          unit: '×',
        },
      ],
    };
  },
};

const RUN = 'killed-run';

/** Each has the killed run for itself: taking it over changes it. */
async function contestantsOf(
  bench: Bench,
  killed: string,
  turns: number,
): Promise<readonly Contestant<Name, Figures>[]> {
  const stub = await bundleJob('jobs/resume-troupe.ts', bench.folder('bundle'));
  const contestant = (name: Name, file: string): Contestant<Name, Figures> => ({
    name,
    async run() {
      const folder = bench.folder('copy');
      cpSync(killed, folder, { recursive: true });
      const start = performance.timeOrigin + performance.now();
      const { at, seen } = await runJob<{ at: number; seen?: number }>(file, { folder, run: RUN });
      if (seen !== undefined && seen < turns) throw new Error(`The resumed call saw ${seen} messages.`);
      return { ms: at - start };
    },
  });
  return [
    contestant('bare', 'jobs/resume-bare.mjs'),
    contestant('rows', 'jobs/resume-rows.mjs'),
    contestant('troupe', stub),
  ];
}
