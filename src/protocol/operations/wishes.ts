import { z } from 'zod';
import { line } from './parts.ts';

const above = z.number().positive();
const count = z.int().positive();

/** Bounds of a whole run, in the units that people write. */
export const limitWishes = z.strictObject({
  usd: z.number().nonnegative().exactOptional(),
  tokens: count.exactOptional(),
  duration: above.exactOptional().describe('Seconds of work; the time a run waits for a person does not count'),
  iterations: count.exactOptional().describe('Entries into any one state'),
  toolRounds: count.exactOptional().describe('Model calls in one turn'),
});

/** Where a run's files go (R1). */
export const deliveryWishes = z.strictObject({
  to: z
    .enum(['branch', 'apply'])
    .exactOptional()
    .describe('branch: one with the name of the run, or a patch outside of git; apply: into the files'),
  verify: z.string().max(10_000).exactOptional().describe('A command that the merged files must pass first'),
  allowsPartial: z.literal(true).exactOptional().describe('A partial outcome is delivered as well'),
  allowsSteering: z.literal(true).exactOptional().describe('Files that steer your programs are applied as well'),
  copyTo: line.exactOptional().describe('A folder that gets a copy of the result, as an absolute path'),
});

/** Options for an interface without a terminal: none that weakens the sandbox or names files elsewhere. */
export const farWishes = {
  models: z.array(line).max(64).readonly().exactOptional().describe('MODEL for all levels, or LEVEL=MODEL'),
  actors: z.array(line).max(64).readonly().exactOptional().describe('ACTOR for all roles, or ROLE=ACTOR'),
  slots: count.exactOptional().describe('How many units of a pool may be under way at the same time'),
  labels: z.array(line).max(64).readonly().exactOptional().describe('What the worker that drives it must offer'),
  priority: z.int().min(1).max(1000).exactOptional().describe('Of queued runs, lower ones go first; 100 by default'),
  limits: limitWishes.exactOptional(),
  deliver: deliveryWishes.pick({ to: true, verify: true, allowsPartial: true }).exactOptional(),
};

/** Options of a run besides its workflow and input. An option left out keeps the value of the settings or the run. */
export const wishes = {
  ...farWishes,
  deliver: deliveryWishes.exactOptional(),
  sandbox: z.enum(['bubblewrap', 'landlock', 'none', 'best']).exactOptional(),
  setup: z.literal(false).exactOptional().describe('No setup command is run in new workspaces'),
};

const wishesSchema = z.strictObject(wishes);

export type Wishes = Readonly<z.infer<typeof wishesSchema>>;
export type LimitWishes = Readonly<z.infer<typeof limitWishes>>;
export type DeliveryWishes = Readonly<z.infer<typeof deliveryWishes>>;
