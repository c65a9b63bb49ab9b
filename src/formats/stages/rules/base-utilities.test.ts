import { describe, expect, test } from 'vitest';
import {
  type AgentMessage,
  createTaskMessage,
  currentSessionId,
  detectCompletion,
  generateMessageId,
  timestamp,
  verdictOf,
} from './agent-message.ts';
import { withAmbient } from './ambient.ts';
import {
  createWorkflowState,
  incrementIteration,
  markMessageProcessed,
  type StageWorkflowState,
  transitionStage,
  validateAgentState,
} from './workflow-state.ts';
import { getActiveAgents, getStageDefinition, getStageMaxIterations } from './find-stage.ts';
import { researchWorkflow } from '../shipped/research.ts';
import { evaluateStageCondition, registerCondition } from './stage-condition.ts';
import type { StageCondition, WorkflowStage } from './workflow-definition.ts';

const message = (parts: Partial<AgentMessage> = {}, metadata: Record<string, unknown> = {}): AgentMessage => ({
  ...createTaskMessage('reviewer', 'Subject', 'Body', metadata),
  ...parts,
});

describe('[ST2] clock and ids', () => {
  test('outside a run they are those of the machine', () => {
    const before = Date.now();
    const time = Date.parse(timestamp());
    expect(time).toBeGreaterThanOrEqual(before);
    expect(generateMessageId()).not.toBe(generateMessageId());
    expect(currentSessionId()).toBe('');
  });

  test('[L9] inside a call of the engine they are the event’s, also after a call within the call and after one that throws', () => {
    let count = 0;
    const ambient = { nowMs: 0, sessionId: 's', nextId: () => `id-${(count += 1)}` };
    withAmbient(ambient, () => {
      expect(timestamp()).toBe('1970-01-01T00:00:00.000Z');
      withAmbient({ ...ambient, nowMs: 1000 }, () => expect(timestamp()).toBe('1970-01-01T00:00:01.000Z'));
      expect(timestamp()).toBe('1970-01-01T00:00:00.000Z');
      expect([generateMessageId(), generateMessageId(), currentSessionId()]).toEqual(['id-1', 'id-2', 's']);
    });
    expect(() =>
      withAmbient(ambient, () => {
        throw new Error('x');
      }),
    ).toThrowError('x');
    expect(currentSessionId()).toBe('');
  });
});

describe('[ST2] the utilities of the base file', () => {
  test('createTaskMessage is a task from the orchestrator', () => {
    expect(createTaskMessage('developer', 'Build', 'the thing', { a: 1 })).toMatchObject({
      from: 'orchestrator',
      to: 'developer',
      type: 'task',
      priority: 'normal',
      content: { subject: 'Build', body: 'the thing', metadata: { a: 1 } },
    });
    expect(createTaskMessage('developer', 'Build', 'it').content.metadata).toEqual({});
  });

  test('createWorkflowState', () => {
    expect(createWorkflowState('research', 's1')).toMatchObject({
      workflowName: 'research',
      sessionId: 's1',
      status: 'running',
      stageHistory: [],
      pendingMessages: [],
      errors: [],
      agentStates: new Map(),
      processedMessageIds: new Set(),
      iterationCounts: new Map(),
    });
  });

  test('transitionStage ends the stage under way and begins the other; the state it got is as it was', () => {
    const state = createWorkflowState('research', 's1');
    const first = transitionStage(state, 'initial_research');
    const second = transitionStage(first, 'verification');
    expect(state.stageHistory).toEqual([]);
    expect(first.stageHistory).toMatchObject([{ status: 'running' }]);
    expect(second.currentStage).toBe('verification');
    expect(second.stageHistory).toMatchObject([
      { stageName: 'initial_research', status: 'complete', iteration: 1, completedAt: expect.any(String) },
      { stageName: 'verification', status: 'running', iteration: 1 },
    ]);
  });

  test('markMessageProcessed and incrementIteration', () => {
    const waiting = message({ id: 'm1' });
    const state = { ...createWorkflowState('research', 's1'), pendingMessages: [waiting] };
    const after = incrementIteration(incrementIteration(markMessageProcessed(state, 'm1'), 'deep_dive'), 'deep_dive');
    expect([...after.processedMessageIds]).toEqual(['m1']);
    expect(after.pendingMessages).toEqual([]);
    expect(after.iterationCounts.get('deep_dive')).toBe(2);
    expect(state.processedMessageIds.size + state.iterationCounts.size).toBe(0);
  });

  test('validateAgentState', () => {
    const state = createWorkflowState('research', 's1');
    state.agentStates.set('reviewer', { role: 'reviewer', status: 'working' });
    expect(validateAgentState(state, 'reviewer', 'working')).toBe(true);
    expect(validateAgentState(state, 'reviewer', 'idle')).toBe(false);
    expect(validateAgentState(state, 'developer', 'idle')).toBe(false);
  });

  test('getStageDefinition and its limit', () => {
    const { definition } = researchWorkflow;
    expect(getStageDefinition(definition, 'deep_dive')).toMatchObject({ agent: 'researcher' });
    expect(getStageDefinition(definition, 'nowhere')).toBeUndefined();
    expect(getStageMaxIterations(definition, 'deep_dive')).toBe(2);
    expect(getStageMaxIterations(definition, 're_verification')).toBe(Infinity);
  });

  test('getActiveAgents: of the stages under way, each once; none at the end', () => {
    const { definition } = researchWorkflow;
    const state = transitionStage(createWorkflowState('research', 's1'), 'verification');
    expect(getActiveAgents(definition, state)).toEqual(['reviewer']);
    expect(getActiveAgents(definition, createWorkflowState('research', 's1'))).toEqual([]);
    expect(getActiveAgents(definition, { ...state, status: 'complete' })).toEqual([]);
  });

  test('detectCompletion and verdictOf', () => {
    expect(detectCompletion(message({ type: 'status' }, { status: 'complete' }))).toBe(true);
    expect(detectCompletion(message({ type: 'status' }, { status: 'blocked' }))).toBe(false);
    expect(detectCompletion(message({ type: 'task' }, { status: 'complete' }))).toBe(false);
    expect(detectCompletion({ type: 'status' } as AgentMessage)).toBe(false);
    expect(verdictOf(message({}, { verdict: 'APPROVED' }))).toBe('APPROVED');
    expect(verdictOf(message({}, { verdict: 'approved' }))).toBeUndefined();
  });
});

describe('[ST3] evaluateStageCondition', () => {
  const stage = (condition?: StageCondition): WorkflowStage => ({
    name: 's',
    agent: 'reviewer',
    description: '',
    outputType: 'review',
    ...(condition === undefined ? {} : { condition }),
  });
  const holds = (
    condition: StageCondition | undefined,
    one?: AgentMessage,
    state?: Partial<StageWorkflowState>,
  ): boolean => evaluateStageCondition(stage(condition), { ...createWorkflowState('w', 's'), ...state }, one);

  test('none always holds', () => {
    expect(holds(undefined)).toBe(true);
  });

  test('message_received: type and sender, each where given; without a message the run is looked through', () => {
    const finding = message({ type: 'finding', from: 'researcher' });
    const condition: StageCondition = { type: 'message_received', messageType: 'finding', from: 'researcher' };
    expect(holds(condition, finding)).toBe(true);
    expect(holds(condition, { ...finding, from: 'developer' })).toBe(false);
    expect(holds({ type: 'message_received', messageType: 'review' }, finding)).toBe(false);
    expect(holds({ type: 'message_received' }, finding)).toBe(true);
    expect(holds(condition)).toBe(false);
    expect(holds(condition, undefined, { messages: [finding] })).toBe(true);
    expect(holds(condition, undefined, { pendingMessages: [finding] })).toBe(true);
  });

  test('verdict: of the message, else of the newest review', () => {
    const review = (verdict: string): AgentMessage => message({ type: 'review' }, { verdict });
    expect(holds({ type: 'verdict', verdict: 'APPROVED' }, review('APPROVED'))).toBe(true);
    expect(holds({ type: 'verdict', verdict: 'APPROVED' }, review('REJECTED'))).toBe(false);
    expect(holds({ type: 'verdict' }, review('REJECTED'))).toBe(true);
    expect(holds({ type: 'verdict' }, message())).toBe(false);
    const messages = [review('APPROVED'), review('NEEDS_REVISION')];
    expect(holds({ type: 'verdict', verdict: 'NEEDS_REVISION' }, undefined, { messages })).toBe(true);
  });

  test('count: a number or a list of the metadata; what is missing counts as none', () => {
    const condition: StageCondition = { type: 'count', countField: 'n', threshold: 2 };
    expect(holds(condition, message({}, { n: 2 }))).toBe(true);
    expect(holds(condition, message({}, { n: 1 }))).toBe(false);
    expect(holds(condition, message({}, { n: ['x', 'y', 'z'] }))).toBe(true);
    expect(holds(condition, message())).toBe(false);
    expect(holds({ type: 'count', countField: 'n' }, message({}, { n: ['x'] }))).toBe(true);
    expect(holds(condition, message({}, { n: 'many' }))).toBe(false);
    expect(holds(condition, undefined, { messages: [message({}, { n: 5 })] })).toBe(true);
  });

  test('custom: a registered function; an unregistered one is a fault', () => {
    registerCondition('utilities:late', late);
    expect(holds({ type: 'custom', customCheck: 'utilities:late' }, undefined, { currentStage: 'z' })).toBe(true);
    expect(holds({ type: 'custom', customCheck: 'utilities:late' }, undefined, { currentStage: 'a' })).toBe(false);
    expect(() => holds({ type: 'custom', customCheck: 'nobody' })).toThrowError(
      'No condition is registered as "nobody"',
    );
    expect(() => holds({ type: 'odd' as 'count' })).toThrowError('unknown type "odd"');
    expect(() => registerCondition('utilities:late', () => true)).toThrowError('registered already');
    expect(() => registerCondition('utilities:late', late)).not.toThrow();
  });
});

const late = (state: StageWorkflowState): boolean => state.currentStage === 'z';
