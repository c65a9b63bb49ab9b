import type { WorkflowStage } from '../workflow-definition.ts';

/** Once, and twice more when the evaluation sends the work back. */
const ROUNDS = 3;

/** The stages of the workflow `architecture`, as its table has them. */
export const architectureStages: WorkflowStage[] = [
  {
    name: 'requirements',
    agent: 'orchestrator',
    description:
      'Clarify what the system must do. Ask a person only where the answer decides between designs. Hand in the refined requirements as a task.',
    inputTypes: ['task'],
    outputType: 'task',
    outputTo: ['prior_art'],
    maxIterations: 1,
  },
  {
    name: 'prior_art',
    agent: 'researcher',
    description: 'Find existing solutions for these requirements: similar systems, common patterns, known pitfalls.',
    inputFrom: ['requirements'],
    inputTypes: ['task', 'review'],
    outputType: 'finding',
    outputTo: ['design_options'],
    maxIterations: ROUNDS,
    iterationTrigger: 'review',
  },
  {
    name: 'design_options',
    agent: 'architect',
    description:
      'Create alternative designs, each with arguments for and against it (`options`), and recommend one (`recommendation`).',
    inputFrom: ['requirements', 'prior_art'],
    inputTypes: ['finding', 'review'],
    outputType: 'design',
    outputTo: ['evaluation'],
    maxIterations: ROUNDS,
  },
  {
    name: 'evaluation',
    agent: 'reviewer',
    description:
      'Evaluate each design option against the requirements and the findings. Begin `summary` with the option that you recommend. APPROVED: at least one option meets every requirement. NEEDS_REVISION: none does; set `needs` to `research` if more has to be found out first, to `rework` if the options have to change.',
    inputFrom: ['requirements', 'prior_art', 'design_options'],
    inputTypes: ['design'],
    outputType: 'review',
    asks: ['needs'],
    outputTo: ['decision', 'design_options', 'prior_art'],
    iterationTrigger: 'design',
  },
  {
    name: 'decision',
    agent: 'orchestrator',
    description:
      'Select the approach that the evaluation recommends and give the reason. Set `planNeeded` to false if it needs no detailed plan.',
    inputFrom: ['design_options', 'evaluation'],
    inputTypes: ['review'],
    outputType: 'task',
    asks: ['planNeeded'],
    outputTo: ['implementation_plan'],
    maxIterations: 1,
  },
  {
    name: 'implementation_plan',
    agent: 'architect',
    description: 'Create the detailed plan, in phases, for the selected approach.',
    inputFrom: ['design_options', 'decision'],
    inputTypes: ['task'],
    outputType: 'design',
    maxIterations: 1,
  },
];
