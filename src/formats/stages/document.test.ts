import { expect, test } from 'vitest';
import { play } from './testing/play.ts';
import { APPROVED, NEEDS_REVISION } from './testing/replies.ts';
// Everything below is written against the document, and imports what an author would: `troupe/stages`.
import {
  createTaskMessage,
  createWorkflowState,
  evaluateStageCondition,
  generateMessageId,
  getActiveAgents,
  getStageDefinition,
  incrementIteration,
  listWorkflows,
  loadWorkflow,
  markMessageProcessed,
  timestamp,
  transitionStage,
  validateAgentState,
  validateDefinition,
  type AgentMessage,
  type AgentRole,
  type AgentState,
  type MessageType,
  type RoutingDecision,
  type RoutingRule,
  type StageCondition,
  type StageExecution,
  type TaskStatus,
  type TransitionGuard,
  type Workflow,
  type WorkflowConfig,
  type WorkflowDefinition,
  type WorkflowError,
  type WorkflowResult,
  type WorkflowStage,
  type WorkflowState,
} from './stages.ts';

const config: WorkflowConfig = {
  maxDuration: 10 * 60 * 1000,
  maxRevisions: 2,
  parallelAgents: false,
  failureStrategy: 'continue',
};

const needsRevision: StageCondition = { type: 'verdict', verdict: 'NEEDS_REVISION' };

const stages: WorkflowStage[] = [
  { name: 'draft', agent: 'writer', description: 'Write it', inputTypes: ['task'], outputType: 'artifact' },
  {
    name: 'edit',
    agent: 'editor',
    description: 'Judge it',
    inputFrom: ['draft'],
    inputTypes: ['artifact'],
    outputType: 'review',
    iterationTrigger: 'artifact',
  },
  {
    name: 'rewrite',
    agent: 'writer',
    description: 'Fix it',
    inputFrom: ['edit'],
    inputTypes: ['review'],
    outputType: 'artifact',
    condition: needsRevision,
    maxIterations: 2,
    iterationTrigger: 'review',
    timeout: 60_000,
    optional: false,
    outputTo: ['edit'],
  },
];

const definition: WorkflowDefinition = {
  name: 'blog-post',
  description: 'A post with an editor',
  version: '1.0.0',
  agents: ['writer', 'editor'],
  stages,
  entryStage: 'draft',
  completionStage: 'edit',
  config,
};

const approved = (state: WorkflowState): boolean =>
  state.stageHistory.some((s: StageExecution) => s.stageName === 'edit' && s.status === 'complete') &&
  (state.result?.success ?? false);

const blogPost: Workflow = {
  definition,

  getRoles(): AgentRole[] {
    return definition.agents;
  },

  createInitialTask(goal: string): AgentMessage {
    return createTaskMessage('writer', 'Write a post', goal, { workflow: 'blog-post' });
  },

  routeMessage(from: AgentRole, message: AgentMessage, state: WorkflowState): RoutingDecision {
    if (state.processedMessageIds.has(message.id)) return { messages: [] };
    const verdict = message.content?.metadata?.['verdict'];
    if (from === 'writer' && message.type === 'artifact') {
      return {
        messages: [{ to: 'editor', message: { ...message, to: 'editor' } }],
        stageTransition: { from: state.currentStage, to: 'edit' },
        updateAgentState: { role: 'editor', state: { status: 'working' } },
      };
    }
    if (from === 'editor' && verdict === 'NEEDS_REVISION' && (state.iterationCounts.get('rewrite') || 0) < 2) {
      const task: AgentMessage = {
        id: generateMessageId(),
        timestamp: timestamp(),
        from,
        to: 'writer',
        type: 'review',
        priority: 'high',
        content: { subject: 'Fix', body: message.content.body, metadata: { verdict } },
      };
      return { messages: [{ to: 'writer', message: task }], stageTransition: { from: 'edit', to: 'rewrite' } };
    }
    return { messages: [] };
  },

  isComplete(state: WorkflowState): boolean {
    return approved(state);
  },

  getNextStage(state: WorkflowState): string | null {
    return state.status === 'running' ? null : definition.completionStage;
  },

  onStageComplete(stageName: string, messages: AgentMessage[], state: WorkflowState): void {
    const verdict = messages[0]?.content.metadata?.['verdict'];
    if (stageName === 'edit' && verdict === 'APPROVED') {
      state.result = { success: true, summary: 'approved', artifacts: [...state.processedMessageIds] };
    }
  },

  synthesizeResult(state: WorkflowState): WorkflowResult {
    return state.result ?? { success: false, summary: 'not approved', artifacts: [] };
  },
};

test('[ST2] a workflow written against the document alone is valid and runs', () => {
  expect(validateDefinition(blogPost)).toEqual([]);
  const played = play(blogPost, { draft: [{}], edit: [NEEDS_REVISION, APPROVED], rewrite: [{}] }, 'about bees');
  expect(played.stages).toEqual(['draft', 'edit', 'rewrite', 'edit']);
  expect(played.deliveries[2]).toMatchObject({ role: 'writer', timeoutMs: 60_000, message: { priority: 'high' } });
  expect(played.finished).toEqual({
    outcome: 'ok',
    result: { success: true, summary: 'approved', artifacts: ['reply-1', 'reply-2', 'reply-3', 'reply-4'] },
  });
});

test('[ST2] its own loop ends where it says, and that is partial', () => {
  const played = play(blogPost, {
    draft: [{}],
    edit: [NEEDS_REVISION, NEEDS_REVISION, NEEDS_REVISION],
    rewrite: [{}, {}],
  });
  expect(played.stages.filter((name) => name === 'rewrite')).toHaveLength(2);
  expect(played.finished).toMatchObject({
    outcome: 'partial',
    result: { success: false, partial: true, summary: 'not approved' },
    failure: { code: 'MAX_ITERATIONS', message: 'After 2 revisions the last review still asks for one.' },
  });
});

test('[ST2] the orchestrator of the document runs with what it names', async () => {
  const type = 'research';
  // The document awaits it, which it may.
  const workflow = await Promise.resolve(loadWorkflow(type));
  const roles = workflow.getRoles();
  const initialTask = workflow.createInitialTask('goal');
  let state = createWorkflowState(type, 'session');
  state = transitionStage(state, workflow.definition.entryStage);
  state = incrementIteration(state, workflow.definition.entryStage);
  const message: AgentMessage = {
    id: 'test-finding-1',
    timestamp: '2024-01-01T00:00:00Z',
    from: 'researcher',
    to: 'reviewer',
    type: 'finding',
    priority: 'normal',
    content: {
      subject: 'Research Finding',
      body: 'Test finding content',
      metadata: { claim: 'Test claim', confidence: 'high', sources: ['https://example.com'] },
    },
  };
  const routing = workflow.routeMessage('researcher', message, state);
  state = markMessageProcessed(state, message.id);
  state = transitionStage(state, routing.stageTransition?.to ?? '');
  expect([roles, initialTask.to, listWorkflows().includes(type)]).toEqual([
    ['researcher', 'reviewer'],
    'researcher',
    true,
  ]);
  expect(routing.messages[0]?.to).toBe('reviewer');
  expect(getActiveAgents(workflow.definition, state)).toEqual(['reviewer']);
  expect(validateAgentState(state, 'reviewer', 'working')).toBe(false);
  const stage = getStageDefinition(workflow.definition, state.currentStage);
  expect(stage && evaluateStageCondition(stage, state, message)).toBe(true);
  expect(workflow.isComplete(state)).toBe(false);
});

test('[ST2] rules, guards, states and errors have the shape of the document', () => {
  const rule: RoutingRule = {
    from: 'researcher',
    messageType: 'finding',
    condition: (msg: AgentMessage, state: WorkflowState) => msg.type === 'finding' && state.status === 'running',
    routeTo: 'orchestrator',
    transformMessage: (msg: AgentMessage) => msg,
    updateStage: 'verification',
    updateState: { status: 'running' },
  };
  const guard: TransitionGuard = {
    name: 'maxIterationsNotExceeded',
    check: (state, _message) => (state.iterationCounts.get(state.currentStage) || 0) < 2,
    errorMessage: 'Maximum revision iterations exceeded',
  };
  const agent: AgentState = { role: 'architect', status: 'idle' };
  const error: WorkflowError = {
    timestamp: timestamp(),
    stage: 'a',
    agent: agent.role,
    code: 'MAX_ITERATIONS',
    message: 'too often',
    recoverable: true,
  };
  const types: MessageType[] = ['task', 'finding', 'artifact', 'review', 'design', 'status', 'question'];
  const statuses: TaskStatus[] = ['pending', 'in_progress', 'awaiting_review', 'revision', 'complete'];
  // A state as an author of tests writes it, without what the engine adds.
  const state: WorkflowState = {
    workflowName: 'x',
    sessionId: 's',
    startedAt: timestamp(),
    currentStage: 'a',
    stageHistory: [],
    agentStates: new Map([['architect', agent]]),
    pendingMessages: [],
    processedMessageIds: new Set(),
    iterationCounts: new Map(),
    status: 'running',
    errors: [error],
  };
  expect(guard.check(state, createTaskMessage('architect', 's', 'b'))).toBe(true);
  expect([rule.routeTo, types.length, statuses.length, state.errors.length]).toEqual(['orchestrator', 7, 5, 1]);
});

test('[ST2] the functions of a workflow may use `this`', () => {
  const workflow: Workflow & { last: AgentRole } = {
    ...blogPost,
    last: 'editor',
    routeMessage(from: AgentRole, message: AgentMessage, state: WorkflowState): RoutingDecision {
      return from === this.last ? { messages: [] } : blogPost.routeMessage(from, message, state);
    },
  };
  expect(play(workflow, { draft: [{}], edit: [APPROVED] })).toMatchObject({ finished: { outcome: 'ok' }, codes: [] });
});
