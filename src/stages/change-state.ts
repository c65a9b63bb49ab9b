import type { AgentRole } from './agent-message.ts';
import { timestamp } from './make-message.ts';
import type { StageAgentState, StageExecution, StageWorkflowState } from './workflow-state.ts';

/** A state in which nothing has happened. Each function below gives a new state and leaves the one it got as it was. */
export function createWorkflowState(workflowName: string, sessionId: string): StageWorkflowState {
  return {
    workflowName,
    sessionId,
    startedAt: timestamp(),
    currentStage: '',
    stageHistory: [],
    agentStates: new Map(),
    pendingMessages: [],
    processedMessageIds: new Set(),
    iterationCounts: new Map(),
    status: 'running',
    errors: [],
    messages: [],
  };
}

/** The stage under way is complete, `to` has begun. */
export function transitionStage(state: StageWorkflowState, to: string): StageWorkflowState {
  const now = timestamp();
  const ended = (execution: StageExecution): StageExecution =>
    execution.stageName === state.currentStage && execution.status === 'running'
      ? { ...execution, status: 'complete', completedAt: now }
      : execution;
  const begun: StageExecution = {
    stageName: to,
    startedAt: now,
    status: 'running',
    iteration: (state.iterationCounts.get(to) ?? 0) + 1,
    outputMessageIds: [],
  };
  return { ...state, currentStage: to, stageHistory: [...state.stageHistory.map(ended), begun] };
}

/** It no longer waits, and a second message with this id changes nothing. */
export function markMessageProcessed(state: StageWorkflowState, messageId: string): StageWorkflowState {
  return {
    ...state,
    processedMessageIds: new Set([...state.processedMessageIds, messageId]),
    pendingMessages: state.pendingMessages.filter(({ id }) => id !== messageId),
  };
}

export function incrementIteration(state: StageWorkflowState, stageName: string): StageWorkflowState {
  const count = (state.iterationCounts.get(stageName) ?? 0) + 1;
  return { ...state, iterationCounts: new Map([...state.iterationCounts, [stageName, count]]) };
}

/** Whether the agent is in that state; an agent nobody has heard of is in none. */
export function validateAgentState(
  state: StageWorkflowState,
  role: AgentRole,
  expectedStatus: StageAgentState['status'],
): boolean {
  return state.agentStates.get(role)?.status === expectedStatus;
}
