import type { RunStarted } from '../record/fact.ts';
import { bodyHash, runId } from '../model/ids.ts';

/** How every journal begins, for tests that care for little of it. A run is below the one its id says. */
export const startedRun = (run: string, more: Partial<RunStarted> = {}): RunStarted => ({
  kind: 'run.started',
  format: 1,
  engine: 'test',
  run: runId(run),
  parent: run.includes('/') ? runId(run.slice(0, run.lastIndexOf('/'))) : null,
  workflow: 'w',
  definition: bodyHash('0'.repeat(64)),
  input: {},
  data: {},
  contexts: [],
  limits: { iterations: 50, toolRounds: 50 },
  project: '/p',
  ...more,
});
