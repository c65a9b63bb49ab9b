import type { RunStarted } from '../../../src/core/record/fact.ts';
import { bodyHash, runId } from '../../../src/core/model/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/core/model/workflow.ts';

/** The first fact of a run, for tests that fold records. */
export function startedFact(run: string): RunStarted {
  const place = run.lastIndexOf('/');
  return {
    kind: 'run.started',
    format: 1,
    engine: 'test',
    run: runId(run),
    parent: place === -1 ? null : runId(run.slice(0, place)),
    workflow: 'fix',
    definition: bodyHash('h1'),
    input: {},
    data: {},
    contexts: [],
    limits: DEFAULT_LIMITS,
    project: '/p',
  };
}
