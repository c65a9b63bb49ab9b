import type { ArtifactView } from '../../../../protocol/artifacts/artifact-view.ts';

/** How the tests print. */
export const OPTIONS = { width: 80, paint: (_style: string, text: string): string => text };

export const ARTIFACT: ArtifactView = {
  id: 'r/t1/plan/specs/plan.md@abcdabcdabcd',
  type: 'plan',
  producer: 'planner',
  created_at: '2026-01-02T03:04:05.000Z',
  path: 'specs/plan.md',
  metadata: {},
  dependencies: [],
  name: 'plan',
  phase: 'planning',
  hash: 'abcdabcdabcd'.padEnd(64, '0'),
  bytes: 1234,
  version: 2,
  run: 'r/t1',
  record: 17,
  task: 't3',
};
