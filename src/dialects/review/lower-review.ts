import type { JsonObject } from '../../core/json.ts';
import { DEFAULT_LIMITS, type Workflow } from '../../core/workflow.ts';
import { deciding } from './deciding.ts';
import { implementing } from './implementing.ts';
import { merging } from './merging.ts';
import { agentsOf, castsOf, contextsOf } from './review-cast.ts';
import type { ReviewPlan } from './review-plan.ts';
import { reviewing } from './reviewing.ts';
import { tryingCommand } from './trying-command.ts';
import { revising } from './revising.ts';

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
