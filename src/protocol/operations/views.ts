import { z } from 'zod';

// What can be looked at of a run: one schema for what is asked, whichever face asks (R2).

const line = z.string().min(1).max(10_000);
const run = line.describe('The id of a run');
const flag = z.literal(true).exactOptional();

export const VIEWS = {
  show: z.strictObject({ run }),
  debate: z.strictObject({ run }),
  messages: z.strictObject({ run }),
  metrics: z.strictObject({ run }),
  branches: z.strictObject({ run }),
  requests: z.strictObject({ run, call: z.int().positive().exactOptional() }),
  compare: z.strictObject({ run, between: z.tuple([line, line]).readonly().exactOptional() }),
  artifacts: z.strictObject({ run, why: flag }),
  artifact: z.strictObject({ run, artifact: line }),
  changes: z.strictObject({
    run,
    agent: line.exactOptional(),
    workspace: line.exactOptional(),
    from: line.exactOptional(),
    to: line.exactOptional(),
    against: line.exactOptional().describe('A branch, tag or commit of the user'),
    project: flag,
    disk: flag,
    stat: flag,
  }),
  rawLogs: z.strictObject({ run, task: line.exactOptional() }),
} as const;

export type View = {
  [Kind in keyof typeof VIEWS]: { readonly kind: Kind } & Readonly<z.infer<(typeof VIEWS)[Kind]>>;
}[keyof typeof VIEWS];
