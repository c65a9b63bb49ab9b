import { dirname, join } from 'node:path';
import type { JsonObject } from '../../../../core/model/json.ts';
import { written, type BenchStep } from '../../../../host/perform/programs/testing/program-bench.ts';

/** For tests: who takes part, and where each works. */
export const OWN = {
  impl_1: 'own',
  impl_2: 'own',
  impl_3: 'own',
  rev_1: 'review',
  rev_2: 'review',
  hybrid: 'own',
} as const;

export const ROLES = { impl_1: {}, impl_2: {}, rev_1: {}, rev_2: {}, hybrid: {} };

/** For tests: the folder of a workspace, by that of the shared one. */
export const placeOf = (folder: string, name: string): string => join(dirname(folder), 'workspaces', name);

/** For tests: what reviewers are given, kept as `pack`. */
export const packs = (ids: readonly string[], more: JsonObject = {}): BenchStep => ({
  ask: 'review.pack',
  as: 'pack',
  input: written({
    implementations: ids.map((id) => ({ id, agent: id, evidence: null })),
    task: 'Make it add.',
    since: null,
    agent: 'rev_1',
    ...more,
  }),
});

/** For tests: the books are opened, kept as `open`. */
export const opens = (implementations: readonly string[], maxRounds = 5): BenchStep => ({
  ask: 'review.open',
  as: 'open',
  input: written({ reviewers: ['rev_1', 'rev_2'], implementations, maxRounds }),
});

/** For tests: what a reviewer said is taken into the ledger kept under the name before, and kept as the next. */
export const takes = ([before, after]: readonly [string, string], input: JsonObject): BenchStep => ({
  ask: 'review.take',
  as: after,
  input: written({
    ledger: `$common_data.${before}.ledger`,
    kind: 'review',
    calls: [],
    text: '',
    failed: null,
    pack: '$common_data.pack',
    ...input,
  }),
});

/** For tests: a review as it is handed in. */
export const handsIn = (given: JsonObject, name = 'hand_in_review'): JsonObject => ({
  calls: [{ name, arguments: { verdict: 'APPROVE', ranking: ['impl_1'], findings: [], summary: 'Fine.', ...given } }],
});

export const finding = (given: JsonObject = {}): JsonObject => ({
  implementation: 'impl_1',
  severity: 'major',
  priority: 1,
  file: 'src/add.ts',
  line: 2,
  claim: 'It subtracts.',
  change: 'Add.',
  ...given,
});
