import type { AgentMessage } from '../agent-message.ts';
import { hasCompleted } from '../find-stage.ts';
import { createTaskMessage, currentSessionId } from '../make-message.ts';
import { nextByRules } from '../next-by-rules.ts';
import { detectCompletion, metadataOf, verdictOf } from '../read-message.ts';
import { stageFiles, stageFindings, lastVerdict, leftBy, outputsOf, reviewsOf, stageSummary } from '../read-state.ts';
import { ANY_ROLE, routeByRules } from '../route-by-rules.ts';
import type { RoutingRule, StageDefinition } from '../stage-workflow.ts';
import { defaultWorkflowConfig, type WorkflowDefinition } from '../workflow-definition.ts';
import type { StageWorkflowState } from '../workflow-state.ts';
import { architectureStages } from './architecture-stages.ts';

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
