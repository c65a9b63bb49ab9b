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
import { outputsOf, reviewsOf, stageFiles, stageSummary, type StageWorkflowState } from '../rules/workflow-state.ts';
import { defaultWorkflowConfig, type WorkflowDefinition, type WorkflowStage } from '../rules/workflow-definition.ts';

/** The stages of the workflow `development`, as its table has them. */
const developmentStages: WorkflowStage[] = [
  {
    name: 'architecture',
    agent: 'architect',
    description:
      'Design how to do the task: the approach, the files that change, how they fit the existing code, the tests.',
    inputTypes: ['task'],
    outputType: 'design',
    outputTo: ['design_review'],
    maxIterations: 1,
  },
  {
    name: 'design_review',
    agent: 'reviewer',
    description: 'Review the design. Check that it does what the task asks and can be built without further questions.',
    inputFrom: ['architecture'],
    inputTypes: ['design'],
    outputType: 'review',
    outputTo: ['design_revision', 'implementation'],
    iterationTrigger: 'design',
  },
  {
    name: 'design_revision',
    agent: 'architect',
    description: 'Revise the design.',
    inputFrom: ['architecture', 'design_review'],
    inputTypes: ['review'],
    outputType: 'design',
    outputTo: ['design_review'],
    maxIterations: 2,
    iterationTrigger: 'review',
  },
  {
    name: 'implementation',
    agent: 'developer',
    description: 'Build the approved design, with tests. Run the tests. Hand in an artifact of the kind `code`.',
    inputFrom: ['design_review'],
    inputTypes: ['design'],
    outputType: 'artifact',
    artifactKind: 'code',
    outputTo: ['code_review'],
    maxIterations: 1,
  },
  {
    name: 'code_review',
    agent: 'reviewer',
    description:
      'Review the code in the workspace. Check that it does what the goal and the design say, is correct, and is tested. The evidence above comes from the engine.',
    inputFrom: ['implementation'],
    inputTypes: ['artifact'],
    given: ['design'],
    outputType: 'review',
    outputTo: ['code_revision', 'documentation'],
    iterationTrigger: 'artifact',
  },
  {
    name: 'code_revision',
    agent: 'developer',
    description: 'Revise the code. Run the tests. Hand in an artifact of the kind `code`.',
    inputFrom: ['implementation', 'code_review'],
    inputTypes: ['review'],
    outputType: 'artifact',
    artifactKind: 'code',
    outputTo: ['code_review'],
    maxIterations: 3,
    iterationTrigger: 'review',
  },
  {
    name: 'documentation',
    agent: 'developer',
    description:
      'Document what was built, in files. Do not change code. Hand in an artifact of the kind `documentation`.',
    inputFrom: ['code_review'],
    inputTypes: ['artifact'],
    outputType: 'artifact',
    artifactKind: 'documentation',
    maxIterations: 1,
  },
];

const definition: WorkflowDefinition = {
  name: 'development',
  description: 'Code implementation with design and review cycles',
  version: '1.0.0',
  agents: ['architect', 'developer', 'reviewer'],
  stages: developmentStages,
  entryStage: 'architecture',
  completionStage: 'documentation',
  config: { ...defaultWorkflowConfig, maxDuration: 60 * 60_000, maxRevisions: 3 },
};

type Condition = NonNullable<RoutingRule['condition']>;

/** The target of a review: as it says, else by the stage that wrote it. */
const targetOf = (message: AgentMessage, { currentStage }: StageWorkflowState): unknown =>
  metadataOf(message, 'target') ?? (currentStage === 'design_review' ? 'design' : 'code');

const reviewed =
  (target: 'design' | 'code', verdict: string): Condition =>
  (message, state) =>
    targetOf(message, state) === target && verdictOf(message) === verdict;

const inStage =
  (stage: string): Condition =>
  (_message, { currentStage }) =>
    currentStage === stage;

const kindOf = (message: AgentMessage): unknown => metadataOf(message, 'kind') ?? metadataOf(message, 'type');

/** The next agent gets the work itself; the review that approved it is among its inputs. */
const approvedWork =
  (type: 'design' | 'artifact'): NonNullable<RoutingRule['transformMessage']> =>
  (review, state) => {
    const work = outputsOf(state, type).at(-1)?.message;
    if (work === undefined) return review;
    const metadata = { ...work.content.metadata, approved: true };
    return { ...work, content: { ...work.content, metadata } };
  };

const rules: RoutingRule[] = [
  {
    from: 'architect',
    messageType: 'design',
    condition: inStage('architecture'),
    routeTo: 'reviewer',
    updateStage: 'design_review',
  },
  {
    from: 'reviewer',
    messageType: 'review',
    condition: reviewed('design', 'APPROVED'),
    routeTo: 'developer',
    updateStage: 'implementation',
    transformMessage: approvedWork('design'),
  },
  {
    from: 'reviewer',
    messageType: 'review',
    condition: reviewed('design', 'NEEDS_REVISION'),
    routeTo: 'architect',
    updateStage: 'design_revision',
  },
  {
    from: 'architect',
    messageType: 'design',
    condition: inStage('design_revision'),
    routeTo: 'reviewer',
    updateStage: 'design_review',
  },
  {
    from: 'developer',
    messageType: 'artifact',
    condition: (message, state) => kindOf(message) === 'code' && !inStage('documentation')(message, state),
    routeTo: 'reviewer',
    updateStage: 'code_review',
  },
  {
    from: 'reviewer',
    messageType: 'review',
    condition: reviewed('code', 'APPROVED'),
    routeTo: 'developer',
    updateStage: 'documentation',
    transformMessage: approvedWork('artifact'),
  },
  {
    from: 'reviewer',
    messageType: 'review',
    condition: reviewed('code', 'NEEDS_REVISION'),
    routeTo: 'developer',
    updateStage: 'code_revision',
  },
  {
    from: 'developer',
    messageType: 'artifact',
    condition: (message, state) => kindOf(message) === 'documentation' && inStage('documentation')(message, state),
    routeTo: 'orchestrator',
    updateStage: 'complete',
  },
  { from: ANY_ROLE, messageType: 'status', condition: detectCompletion, routeTo: 'orchestrator' },
];

const routeMessage = routeByRules(rules);

/** A feature: design, code and documentation; designs are revised at most twice, code three times. */
export const developmentWorkflow: StageDefinition = {
  definition,
  getRoles: () => [...definition.agents],
  createInitialTask: (goal) =>
    createTaskMessage('architect', 'Development Task', goal, {
      workflow: 'development',
      sessionId: currentSessionId(),
      requirements: ['Design the approach', 'Implementation with tests', 'Documentation'],
    }),
  routeMessage,
  isComplete: (state) => hasCompleted(state, 'documentation'),
  getNextStage: nextByRules(definition, routeMessage),
  onStageComplete: () => undefined,
  synthesizeResult: (state) => ({
    success: hasCompleted(state, 'documentation'),
    summary: stageSummary(outputsOf(state).findLast(({ message }) => message.type !== 'review')?.message),
    artifacts: stageFiles(state),
    reviews: reviewsOf(state),
  }),
};
