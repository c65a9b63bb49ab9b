import { createTaskMessage, currentSessionId, detectCompletion, verdictOf } from '../rules/agent-message.ts';
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
import { hasCompleted } from '../rules/find-stage.ts';
import { defaultWorkflowConfig, type WorkflowDefinition, type WorkflowStage } from '../rules/workflow-definition.ts';

const DEEP_DIVES = 2;

const OPEN_SOURCES =
  'Open the sources, pages with a command such as `curl -L` where your commands reach the network: check that each claim is true, current and backed by them, and name what is missing. List a claim that you could not check as an issue, "not verified:" and its source. If no other issue is left, approve, and name these claims in `summary`.';

const stages: WorkflowStage[] = [
  {
    name: 'initial_research',
    agent: 'researcher',
    description: 'Gather findings on the question, each with its sources and your confidence.',
    inputTypes: ['task'],
    outputType: 'finding',
    outputTo: ['verification'],
    maxIterations: 1,
  },
  {
    name: 'verification',
    agent: 'reviewer',
    description: `Verify the findings. ${OPEN_SOURCES}`,
    networkOf: 'researcher',
    inputFrom: ['initial_research'],
    inputTypes: ['finding'],
    outputType: 'review',
    outputTo: ['deep_dive', 'synthesis'],
    condition: { type: 'message_received', messageType: 'finding', from: 'researcher' },
    maxIterations: 1,
  },
  {
    name: 'deep_dive',
    agent: 'researcher',
    description: 'Look further into the question.',
    inputFrom: ['initial_research', 'verification'],
    inputTypes: ['review'],
    outputType: 'finding',
    outputTo: ['re_verification'],
    condition: { type: 'verdict', verdict: 'NEEDS_REVISION' },
    maxIterations: DEEP_DIVES,
    iterationTrigger: 'review',
  },
  {
    name: 're_verification',
    agent: 'reviewer',
    description: `Verify the findings again. ${OPEN_SOURCES}`,
    networkOf: 'researcher',
    inputFrom: ['deep_dive'],
    inputTypes: ['finding'],
    given: ['review'],
    outputType: 'review',
    outputTo: ['deep_dive', 'synthesis'],
    condition: { type: 'message_received', messageType: 'finding', from: 'researcher' },
    iterationTrigger: 'finding',
  },
  {
    name: 'synthesis',
    agent: 'orchestrator',
    description: 'Write the final report from the findings and the review. State what was verified and what was not.',
    inputFrom: ['initial_research'],
    inputTypes: ['finding', 'review'],
    outputType: 'result',
  },
];

const definition: WorkflowDefinition = {
  name: 'research',
  description: 'Multi-source research with a verification loop',
  version: '1.0.0',
  agents: ['researcher', 'reviewer'],
  stages,
  entryStage: 'initial_research',
  completionStage: 'synthesis',
  config: { ...defaultWorkflowConfig, maxDuration: 20 * 60_000, maxRevisions: DEEP_DIVES },
};

const deepDives = (state: StageWorkflowState): number => state.iterationCounts.get('deep_dive') ?? 0;

const rules: RoutingRule[] = [
  { from: 'researcher', messageType: 'finding', routeTo: 'reviewer', updateStage: 'verification' },
  {
    from: 'reviewer',
    messageType: 'review',
    condition: (message) => verdictOf(message) === 'APPROVED',
    routeTo: 'orchestrator',
    updateStage: 'synthesis',
  },
  {
    from: 'reviewer',
    messageType: 'review',
    condition: (message, state) => verdictOf(message) === 'NEEDS_REVISION' && deepDives(state) < DEEP_DIVES,
    routeTo: 'researcher',
    updateStage: 'deep_dive',
  },
  {
    from: 'reviewer',
    messageType: 'review',
    condition: (message, state) => verdictOf(message) === 'NEEDS_REVISION' && deepDives(state) >= DEEP_DIVES,
    routeTo: 'orchestrator',
    updateStage: 'synthesis',
    limitReached: `The findings were revised ${DEEP_DIVES} times and are still not approved.`,
  },
  {
    from: 'researcher',
    messageType: 'finding',
    condition: (_message, { currentStage }) => currentStage === 'deep_dive',
    routeTo: 'reviewer',
    updateStage: 're_verification',
  },
  { from: ANY_ROLE, messageType: 'status', condition: detectCompletion, routeTo: 'orchestrator' },
];

const routeMessage = routeByRules(rules);
const nextStage = nextByRules(definition, routeMessage);

const isApproved = (state: StageWorkflowState): boolean =>
  lastVerdict(state, ['verification', 're_verification']) === 'APPROVED';

/** Multi-source research: findings are verified, gaps are researched again at most twice, then comes the report. */
export const researchWorkflow: StageDefinition = {
  definition,
  getRoles: () => [...definition.agents],
  createInitialTask: (goal) =>
    createTaskMessage('researcher', 'Research Assignment', goal, {
      workflow: 'research',
      sessionId: currentSessionId(),
      expectations: ['Find accurate, current information', 'Cite sources with URLs', 'Assess confidence levels'],
    }),
  routeMessage,
  isComplete: (state) => hasCompleted(state, 'synthesis') && (isApproved(state) || stageFindings(state).length > 0),
  /** Unverified findings are still worth a report; it is marked partial. */
  getNextStage: (state) => {
    const last = state.stageHistory.at(-1);
    const isLost = last?.status === 'failed' && last.stageName !== 'synthesis';
    return isLost && stageFindings(state).length > 0 ? 'synthesis' : nextStage(state);
  },
  onStageComplete: () => undefined,
  synthesizeResult: (state) => {
    const report = outputsOf(state, 'result').at(-1)?.message;
    const findings = outputsOf(state, 'finding');
    return {
      success: isApproved(state),
      summary: stageSummary(report ?? findings.at(-1)?.message),
      artifacts: [...new Set([...leftBy(findings), ...stageFiles(state)])],
      findings: stageFindings(state),
      reviews: reviewsOf(state),
    };
  },
};
