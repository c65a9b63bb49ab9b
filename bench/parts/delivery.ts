import { interleave } from '../harness/interleave.ts';
import { runJob } from '../harness/job.ts';
import type { Part } from '../harness/part.ts';

const KINDS = ['branch', 'patch', 'apply'] as const;

type Figures = Readonly<Record<`${(typeof KINDS)[number]}${'Ms' | 'HeldMs'}`, number>>;

/** How long a delivery of many files keeps the process from anything else; a server delivers in its own. */
export const delivery: Part = {
  name: 'delivery',
  title: 'Delivery of many files',
  async run(bench) {
    const files = bench.quick ? 200 : 5000;
    const run = () => runJob<Figures>('jobs/delivery-delay.ts', { folder: bench.folder('delivery'), files });
    const results = await interleave(bench.repetitions, [{ name: 'delivery', run }], (text) => bench.say(text));
    const held = (kind: (typeof KINDS)[number]) => results.median('delivery', (figures) => figures[`${kind}HeldMs`]);
    return {
      tables: [
        {
          title: `Delivery of ${files.toLocaleString('en')} new files, ms`,
          columns: ['to', 'whole', 'longest hold of the event loop'],
          rows: KINDS.map((kind) => [kind, results.median('delivery', (figures) => figures[`${kind}Ms`]), held(kind)]),
        },
      ],
      goals: KINDS.map((kind) => ({
        what: `delivery of 5,000 files, ${kind}: longest hold of the event loop`,
        atMost: 100,
        found: bench.quick ? null : held(kind),
        unit: 'ms',
      })),
    };
  },
};
