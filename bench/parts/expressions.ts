import { interleave } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Part } from '../harness/part.ts';

interface Figures {
  readonly stateBytes: number;
  readonly evaluateUs: number;
  readonly withSurfaceUs: number;
  readonly compileUs: number;
  readonly isolateUs: number;
  readonly bareUs: number;
  readonly ratio: number;
}

/** Conditions and scripts. */
export const expressions: Part = {
  name: 'expressions',
  title: 'Conditions and scripts on a state of 50 KB',
  async run(bench) {
    const contestants = [{ name: 'troupe' as const, run: () => runJob<Figures>('jobs/expressions.ts', {}) }];
    const results = await interleave(bench.repetitions, contestants, (text) => bench.say(`expressions, ${text}`));
    const found = (read: (figures: Figures) => number): number | null => results.median('troupe', read);
    return {
      tables: [
        {
          title: `Conditions and scripts, state of ${found((figures) => figures.stateBytes)} bytes`,
          columns: ['what', 'µs'],
          rows: [
            ['condition, compiled once, evaluated', found((figures) => figures.evaluateUs)],
            ['the same as the engine does it, with what it may look at', found((figures) => figures.withSurfaceUs)],
            ['condition, parsed, compiled and evaluated', found((figures) => figures.compileUs)],
            ['script in the isolate', found((figures) => figures.isolateUs)],
            ['script in a bare fresh QuickJS context, JSON in and out', found((figures) => figures.bareUs)],
          ],
        },
      ],
      goals: [
        {
          what: 'condition on a 50 KB state, compiled once',
          atMost: 0.5,
          found: found((figures) => figures.withSurfaceUs),
          unit: 'µs',
        },
        {
          what: 'script in the isolate ÷ bare fresh QuickJS context with JSON both ways',
          atMost: 2,
          found: found((figures) => figures.ratio),
          unit: '×',
        },
      ],
    };
  },
};
