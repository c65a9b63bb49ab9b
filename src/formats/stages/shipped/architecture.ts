import {
  type AgentMessage,
  createTaskMessage,
  currentSessionId,
  detectCompletion,
  metadataOf,
  verdictOf,
} from '../rules/agent-message.ts';
import { hasCompleted } from '../rules/find-stage.ts';
import {
  ANY_ROLE,
  nextByRules,
  routeByRules,
  type RoutingRule,
  type StageDefinition,
} from '../rules/stage-definition.ts';
import {
  lastVerdict,
  leftBy,
  outputsOf,
  reviewsOf,
  stageFiles,
  stageFindings,
  stageSummary,
  type StageWorkflowState,
} from '../rules/workflow-state.ts';
import { defaultWorkflowConfig, type WorkflowDefinition, type WorkflowStage } from '../rules/workflow-definition.ts';

/** Once, and twice more when the evaluation sends the work back. */
const ROUNDS = 3;

/** The stages of the workflow `architecture`, as its table has them. */
const architectureStages: WorkflowStage[] = [
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

const definition: WorkflowDefinition = {
  name: 'architecture',
  description: 'System design evaluation with research backing',
  version: '1.0.0',
  agents: ['researcher', 'architect', 'reviewer'],
  stages: architectureStages,
  entryStage: 'requirements',
  completionStage: 'implementation_plan',
  config: { ...defaultWorkflowConfig },
};

type Condition = NonNullable<RoutingRule['condition']>;

const inStage =
  (stage: string): Condition =>
  (_message, { currentStage }) =>
    currentStage === stage;

/** A revision is more research where the review says so, else another look at the design. */
const needsResearch = (message: AgentMessage): boolean => metadataOf(message, 'needs') === 'research';

/** The decision may say that the approach is simple enough to do without a plan. */
const isPlanUnneeded = (message: AgentMessage | undefined): boolean => metadataOf(message, 'planNeeded') === false;

const researchTask = (goal: string): AgentMessage =>
  createTaskMessage('researcher', 'Architecture Research', goal, {
    workflow: 'architecture',
    sessionId: currentSessionId(),
    phase: 'prior_art',
    lookingFor: ['Similar systems', 'Common patterns', 'Known pitfalls'],
  });

/** The clarified requirements reach the researcher in the form of the initial task. */
const asResearchTask = (message: AgentMessage): AgentMessage => {
  const { subject, metadata } = researchTask('').content;
  return {
    ...message,
    content: { subject, body: message.content.body, metadata: { ...message.content.metadata, ...metadata } },
  };
};

const rules: RoutingRule[] = [
  {
    from: 'orchestrator',
    messageType: 'task',
    condition: inStage('requirements'),
    routeTo: 'researcher',
    transformMessage: asResearchTask,
    updateStage: 'prior_art',
  },
  { from: 'researcher', messageType: 'finding', routeTo: 'architect', updateStage: 'design_options' },
  {
    from: 'architect',
    messageType: 'design',
    condition: inStage('design_options'),
    routeTo: 'reviewer',
    updateStage: 'evaluation',
  },
  {
    from: 'reviewer',
    messageType: 'review',
    condition: (message) => verdictOf(message) === 'APPROVED',
    routeTo: 'orchestrator',
    updateStage: 'decision',
  },
  {
    from: 'reviewer',
    messageType: 'review',
    condition: (message) => verdictOf(message) === 'NEEDS_REVISION' && !needsResearch(message),
    routeTo: 'architect',
    updateStage: 'design_options',
  },
  {
    from: 'reviewer',
    messageType: 'review',
    condition: (message) => verdictOf(message) === 'NEEDS_REVISION' && needsResearch(message),
    routeTo: 'researcher',
    updateStage: 'prior_art',
  },
  {
    from: 'orchestrator',
    messageType: 'task',
    condition: (message, state) => inStage('decision')(message, state) && isPlanUnneeded(message),
    routeTo: 'orchestrator',
    updateStage: 'complete',
  },
  {
    from: 'orchestrator',
    messageType: 'task',
    condition: (message, state) => inStage('decision')(message, state) && !isPlanUnneeded(message),
    routeTo: 'architect',
    updateStage: 'implementation_plan',
  },
  {
    from: 'architect',
    messageType: 'design',
    condition: inStage('implementation_plan'),
    routeTo: 'orchestrator',
    updateStage: 'complete',
  },
  { from: ANY_ROLE, messageType: 'status', condition: detectCompletion, routeTo: 'orchestrator' },
];

const routeMessage = routeByRules(rules);

const isApproved = (state: StageWorkflowState): boolean => lastVerdict(state, ['evaluation']) === 'APPROVED';

const isComplete = (state: StageWorkflowState): boolean =>
  isApproved(state) &&
  (hasCompleted(state, 'implementation_plan') ||
    outputsOf(state).some(({ stage, message }) => stage === 'decision' && isPlanUnneeded(message)));

/** A design: requirements, prior art, options, their evaluation (at most two more rounds), a decision, a plan. */
export const architectureWorkflow: StageDefinition = {
  definition,
  getRoles: () => [...definition.agents],
  createInitialTask: researchTask,
  routeMessage,
  isComplete,
  getNextStage: nextByRules(definition, routeMessage),
  onStageComplete: () => undefined,
  synthesizeResult: (state) => {
    const designs = outputsOf(state, 'design');
    const last = outputsOf(state).findLast(({ message }) => message.type === 'design' || message.type === 'task');
    return {
      success: isComplete(state),
      summary: stageSummary(last?.message),
      artifacts: [...new Set([...leftBy(designs), ...stageFiles(state)])],
      findings: stageFindings(state),
      reviews: reviewsOf(state),
    };
  },
};
