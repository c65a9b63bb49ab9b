import { byName } from '../../../source/model-parts.ts';
import { DEFAULT_LIMITS, type Workflow } from '../../../core/model/workflow.ts';
import { REVIEW_STATE } from '../rules/review-state.ts';
import { deciding, reviewing, revising } from './reviewing.ts';
import { implementing, tryingCommand } from './implementing.ts';
import { merging } from './merging.ts';
import { agentsOf, castsOf, contextsOf, reviewTerms, type ReviewPlan } from './review-plan.ts';

/** Many implement, some review, all in one run: an implementer revises in its own session and its own files (PD6). */
export function lowerReview(plan: ReviewPlan): Workflow {
  const states = [
    ...tryingCommand(),
    ...implementing(plan),
    ...reviewing(plan),
    ...deciding(),
    ...revising(plan),
    ...merging(plan),
  ];
  return {
    name: plan.name,
    description: plan.description,
    family: 'review',
    inputs: [
      { name: 'task', type: 'string', description: 'What is to be made, in your own words', required: true },
      { name: 'verify', type: 'string', description: 'A command that shows whether it works', required: false },
    ],
    output: null,
    data: { verify: plan.verify, [REVIEW_STATE]: null },
    plan: { ...reviewTerms(plan) },
    contexts: contextsOf(plan),
    agents: agentsOf(plan),
    start: 'start',
    states: byName(states),
    // A debate has its own bounds.
    limits: { ...DEFAULT_LIMITS, iterations: 1000 },
    ...(plan.file === undefined ? {} : { file: plan.file }),
    casts: castsOf(plan),
  };
}

/**
 * The steps of a review as its author thinks of it, by the state that stands for each; every other state is a part of one of them.
 * For drawings: whatever is not named here is drawn as it is.
 */
export function reviewStep(state: string): string {
  return PARTS.get(state) ?? (state.startsWith('merge_') ? 'merge' : state);
}

const STEPS: Readonly<Record<string, readonly string[]>> = {
  implement: ['start', 'implemented'],
  verify: ['try_verify', 'ask_verify', 'answer_verify', 'verified'],
  review: ['pack'],
  debate: ['take'],
  decide: ['show', 'synthesise', 'hybrid', 'ask'],
  revise: ['orders', 'revised'],
  merge: ['unmerged', 'settle', 'guard', 'collide', 'answer_collision'],
};

const PARTS = new Map(Object.entries(STEPS).flatMap(([step, parts]) => parts.map((part) => [part, step] as const)));
