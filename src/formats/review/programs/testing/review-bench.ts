import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { dataAfter } from '../../../../core/fold/data-after.ts';
import type { Json, JsonObject } from '../../../../core/model/json.ts';
import {
  askPrograms,
  written,
  type Benched,
  type BenchOptions,
  type BenchStep,
} from '../../../../host/perform/outputs/testing/program-bench.ts';
import { expression } from '../../../../host/testing/build-definition.ts';
import type { EngineProgram, Formats, EffectContext } from '../../../../host/world.ts';
import { createFormats } from '../../../registry/programs.ts';
import { newReviewState, REVIEW_STATE, type ReviewState, type ReviewTerms } from '../../rules/review-state.ts';
import { reviewStateOf } from '../keep-review.ts';
import { reviewTake } from '../review-take.ts';

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

const TERMS: ReviewTerms = {
  reviewers: ['rev_1', 'rev_2'],
  implementers: ['impl_1'],
  maxRounds: 5,
  finalRounds: 3,
  maxRevisions: 2,
  quorum: 1,
  pick: 'ranking',
  protect: [],
};

const DATA: JsonObject = { task: 'Make it add.' };

/** For tests: a program that reads and keeps the state of a review. */
export const programStep = (program: string, input: JsonObject = {}): BenchStep => ({
  work: { kind: 'compute', program, keeps: REVIEW_STATE, input: expression(written(input)) },
});

/** For tests: a review of these implementations. */
export const opens = (implementers: readonly string[], change: Partial<ReviewState> = {}): BenchStep => {
  const state = newReviewState({ ...TERMS, implementers });
  const looked = { alive: implementers, units: implementers.map((id) => ({ id })) };
  return changes({ ...state, ...looked, ...change });
};

/** For tests: the review knows this from here on. */
export const changes = (change: Partial<ReviewState>): BenchStep =>
  programStep('test.change', change as unknown as JsonObject);

/** For tests: reviewers are given the files as they are now. */
export const packs = (): BenchStep => programStep('review.pack', { agent: 'rev_1' });

/** For tests: what a reviewer said is taken. */
export const takes = (reviewer: string, said: Partial<Said>): BenchStep =>
  programStep('test.take', { kind: 'review', calls: [], text: '', failed: null, ...said, reviewer });

interface Said {
  readonly kind: 'review' | 'position';
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: Json }[];
  readonly text: string;
  readonly failed: string | null;
}

const TEST_PROGRAMS: Readonly<Record<string, EngineProgram>> = {
  'test.change': async ({ snapshot }, { input }) => {
    const before = snapshot.data[REVIEW_STATE] as JsonObject | undefined;
    return { output: null, kept: { ...before, ...(input as JsonObject) } };
  },
  /** As if the reviewer had just said it, when it was its turn. */
  'test.take': async (context, effect) => {
    const { reviewer, kind, calls, text, failed } = effect.input as unknown as Said & { readonly reviewer: string };
    const { snapshot } = context;
    const isFirst = kind === 'review';
    const state = { ...reviewStateOf(context), speaker: isFirst ? null : reviewer } as unknown as Json;
    const outcome = failed === null ? 'ok' : 'failed';
    const units = [{ id: reviewer, outcome, output: null, reason: failed }];
    const now = {
      ...snapshot,
      data: { ...snapshot.data, [REVIEW_STATE]: state },
      last: { state: 'before', outcome, output: isFirst ? { units } : null, failure: null } as const,
      agents: { ...snapshot.agents, [reviewer]: { lastResponse: text, toolCalls: [], parsingCalls: calls } },
    };
    return await reviewTake(withSnapshot(context, now), effect);
  },
};

/** It has private parts, which a copy would not have. */
const withSnapshot = (context: EffectContext, snapshot: EffectContext['snapshot']): EffectContext =>
  new Proxy(context, {
    get: (target, key) => {
      if (key === 'snapshot') return snapshot;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

const FORMATS: Formats = createFormats({ home: '', tell: () => undefined });
const formats: Formats = {
  ...FORMATS,
  program: async (name) => TEST_PROGRAMS[name] ?? (await FORMATS.program(name)),
};

export interface ReviewBenched extends Benched {
  /** The state of the review after each program that keeps it. */
  readonly states: readonly ReviewState[];
  readonly state: ReviewState;
}

/** For tests: programs of a review, asked one after the other on real files. None may fail. */
export async function askReview(steps: readonly BenchStep[], options: BenchOptions = {}): Promise<ReviewBenched> {
  const world = { ...options.world, formats };
  const benched = await askPrograms(steps, {
    workspaces: OWN,
    roles: ROLES,
    data: DATA,
    plan: { ...TERMS },
    ...options,
    world,
  });
  for (const { failure } of benched.answers) expect(failure).toBeNull();
  const states: ReviewState[] = [];
  let data: JsonObject = {};
  const keeping = new Set<string>();
  for (const fact of benched.facts) {
    data = dataAfter(data, fact);
    if (fact.kind === 'task.started' && fact.work.kind === 'compute' && fact.work.keeps !== undefined)
      keeping.add(fact.task);
    if (fact.kind === 'task.ended' && keeping.has(fact.task)) states.push(data[REVIEW_STATE] as unknown as ReviewState);
  }
  const state = states.at(-1);
  if (state === undefined) throw new Error('There is no review.');
  return { ...benched, states, state };
}

/** For tests: a review as it is handed in. */
export const handsIn = (given: JsonObject, name = 'hand_in_review'): Pick<Said, 'calls'> => ({
  calls: [
    {
      id: name,
      name,
      arguments: { verdict: 'APPROVE', ranking: ['impl_1'], findings: [], summary: 'Fine.', ...given },
    },
  ],
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
