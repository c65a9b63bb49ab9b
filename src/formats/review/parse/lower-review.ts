import type { JsonObject } from '../../../core/model/json.ts';
import { DEFAULT_LIMITS, type Workflow } from '../../../core/model/workflow.ts';
import { deciding, reviewing, revising } from './reviewing.ts';
import { implementing, tryingCommand } from './implementing.ts';
import { merging } from './merging.ts';
import { agentsOf, castsOf, contextsOf, type ReviewPlan } from './review-plan.ts';

/** Many implement, some review, all of it in one run: whoever revises does so in its own session and its own files (PD6). */
export function lowerReview(plan: ReviewPlan): Workflow {
  const states = [
    ...tryingCommand(),
    ...implementing(plan),
    ...reviewing(plan),
    ...deciding(plan),
    ...revising(plan),
    ...merging(plan),
  ];
  return {
    name: plan.name,
    description: plan.description,
    dialect: 'review',
    inputs: [
      { name: 'task', type: 'string', description: 'What is to be made, in your own words', required: true },
      { name: 'verify', type: 'string', description: 'A command that shows whether it works', required: false },
    ],
    output: null,
    data: { ...DATA, verify: plan.verify },
    contexts: contextsOf(plan),
    agents: agentsOf(plan),
    start: 'start',
    states: Object.fromEntries(states.map((state) => [state.name, state])),
    // A debate has its own bounds.
    limits: { ...DEFAULT_LIMITS, iterations: 1000 },
    ...(plan.file === undefined ? {} : { file: plan.file }),
    casts: castsOf(plan),
  };
}

const DATA: JsonObject = {
  ledger: null,
  // Implementations that came out well, those that did not, and those that are looked at now.
  alive: [],
  lost: [],
  todo: [],
  units: [],
  evidence: {},
  pack: null,
  // What was handed in and is not in the ledger yet.
  queue: [],
  speaker: '',
  say: '',
  isNew: false,
  decision: null,
  asked: null,
  synthesis: null,
  // Why what a synthesis put together did not do.
  unmixed: '',
  orders: {},
  trees: {},
  touched: {},
  revisions: 0,
  merges: 0,
  collision: null,
  // Of the command: why it cannot be run at all, and what is asked about it.
  unusable: null,
  nowhere: false,
  question: '',
  // The best so far, where nothing came home: whose files, and why not.
  unverified: null,
  problem: null,
};

/**
 * The steps of a review as its author thinks of it, by the state that stands for each; every other state is a part of one of them.
 * For drawings: whatever is not named here is drawn as it is.
 */
export function reviewStep(state: string): string {
  return PARTS.get(state) ?? (/^(?:merge|settle|settled|guard|collide)_/.test(state) ? 'merge' : state);
}

const STEPS: Readonly<Record<string, readonly string[]>> = {
  implement: ['start', 'open', 'implemented'],
  verify: ['try_verify', 'ask_verify', 'go_on', 'verified', 'touched'],
  review: ['pack', 'reopen'],
  debate: ['take'],
  decide: ['show', 'synthesise', 'hybrid', 'ask'],
  revise: ['orders', 'revised'],
};

const PARTS = new Map(Object.entries(STEPS).flatMap(([step, parts]) => parts.map((part) => [part, step] as const)));
