import type { TransitionGuard } from './find-stage.ts';
import {
  type AgentMessage,
  type AgentRole,
  type MessageType,
  metadataOf,
  timestamp,
  verdictOf,
} from './agent-message.ts';
import type { WorkflowDefinition } from './workflow-definition.ts';
import type { StageAgentState, StageErrorCode, StageWorkflowState, WorkflowResult } from './workflow-state.ts';
import { getStageDefinition } from './find-stage.ts';

/**
 * A stage workflow: its definition, and the functions that route it. The engine calls each function once per event, keeps
 * what was decided in the journal and never calls it again for the same event. They are synchronous.
 */
export interface StageDefinition {
  definition: WorkflowDefinition;
  getRoles(): AgentRole[];
  createInitialTask(goal: string): AgentMessage;
  routeMessage(from: AgentRole, message: AgentMessage, state: StageWorkflowState): RoutingDecision;
  isComplete(state: StageWorkflowState): boolean;
  /** Asked when nothing was routed: the stage to run next, or null. */
  getNextStage(state: StageWorkflowState): string | null;
  onStageComplete(stageName: string, messages: AgentMessage[], state: StageWorkflowState): void;
  synthesizeResult(state: StageWorkflowState): WorkflowResult;
  /** Looked at before a stage begins, with `state.currentStage` already the stage to begin. */
  guards?: TransitionGuard[];
}

export interface RoutingDecision {
  messages: { to: AgentRole; message: AgentMessage }[];
  stageTransition?: { from: string; to: string };
  updateAgentState?: { role: AgentRole; state: Partial<StageAgentState> };
  /** Why nothing was routed; reported to the user. */
  refusal?: { code: StageErrorCode; message: string };
}

/** One row of a routing table. */
export interface RoutingRule {
  /** `*` matches every role. */
  from: AgentRole;
  messageType: MessageType;
  condition?: (message: AgentMessage, state: StageWorkflowState) => boolean;
  routeTo: AgentRole;
  transformMessage?: (message: AgentMessage, state: StageWorkflowState) => AgentMessage;
  updateStage?: string;
  updateState?: Partial<StageWorkflowState>;
  /** Taking this row means that a limit was reached: the sentence says which, and the result is marked partial. */
  limitReached?: string;
}

/** The static part of a row of a routing table. */
export interface RuleRow {
  readonly from: AgentRole;
  readonly messageType: MessageType;
  readonly routeTo: AgentRole;
  /** The stage it leads to. */
  readonly updateStage?: string;
  readonly isConditional: boolean;
}

/** A workflow's file may have another copy of this module than the command line. */
const RULES = Symbol.for('troupe.stages.rules');

/** Makes the table behind a routing function readable. */
function withRows<T extends StageDefinition['routeMessage']>(route: T, rules: readonly RoutingRule[]): T {
  return Object.defineProperty(route, RULES, { value: rules });
}

/** None for a `routeMessage` that the author wrote himself. */
export function ruleRowsOf({ routeMessage }: Pick<StageDefinition, 'routeMessage'>): readonly RuleRow[] {
  const rules: unknown = (routeMessage as { readonly [RULES]?: unknown })[RULES];
  return Array.isArray(rules) ? (rules as readonly RoutingRule[]).map(rowOf) : [];
}

function rowOf({ from, messageType, routeTo, updateStage, condition }: RoutingRule): RuleRow {
  const leads = updateStage === undefined ? {} : { updateStage };
  return { from, messageType, routeTo, ...leads, isConditional: condition !== undefined };
}

/** Any role. */
export const ANY_ROLE = '*';

/**
 * A `routeMessage` made from a table. The most specific row that matches is taken: one with a condition before one without,
 * then one for this role before one for any; among equals the first. A message that no row takes is refused with its reason.
 */
export function routeByRules(rules: readonly RoutingRule[]): StageDefinition['routeMessage'] {
  const ordered = rules.toSorted((left, right) => specificity(right) - specificity(left));
  const route: StageDefinition['routeMessage'] = (from, message, state) => {
    const rule = ordered.find((one) => matches(one, { from, message, state }));
    return rule === undefined ? refused(from, message, state) : taken(rule, message, state);
  };
  return withRows(route, rules);
}

function specificity(rule: RoutingRule): number {
  return (rule.condition === undefined ? 0 : 2) + (rule.from === ANY_ROLE ? 0 : 1);
}

interface Incoming {
  readonly from: AgentRole;
  readonly message: AgentMessage;
  readonly state: StageWorkflowState;
}

function matches(rule: RoutingRule, { from, message, state }: Incoming): boolean {
  return (
    (rule.from === ANY_ROLE || rule.from === from) &&
    rule.messageType === message.type &&
    (rule.condition?.(message, state) ?? true)
  );
}

function taken(rule: RoutingRule, message: AgentMessage, state: StageWorkflowState): RoutingDecision {
  const stage = state.currentStage;
  const carried = { ...(rule.transformMessage?.(message, state) ?? message), to: rule.routeTo };
  if (rule.limitReached !== undefined) noteLimit(rule.limitReached, message, state);
  // The rule is used by every run, so a run gets its own copy of what the rule sets.
  Object.assign(state, structuredClone(rule.updateState ?? {}));
  return {
    messages: [{ to: rule.routeTo, message: carried }],
    ...(rule.updateStage === undefined ? {} : { stageTransition: { from: stage, to: rule.updateStage } }),
  };
}

function noteLimit(sentence: string, message: AgentMessage, state: StageWorkflowState): void {
  state.errors.push({
    timestamp: timestamp(),
    stage: state.currentStage,
    agent: message.from,
    code: 'MAX_ITERATIONS',
    message: sentence,
    recoverable: true,
  });
}

function refused(from: AgentRole, message: AgentMessage, state: StageWorkflowState): RoutingDecision {
  const words = [
    verdictOf(message) === undefined ? undefined : `verdict ${String(verdictOf(message))}`,
    message.type === 'status' ? `status ${String(metadataOf(message, 'status'))}` : undefined,
  ].filter((word) => word !== undefined);
  const detail = words.length === 0 ? '' : ` (${words.join(', ')})`;
  return {
    messages: [],
    refusal: {
      code: 'UNEXPECTED_MESSAGE',
      message: `No rule of ${state.workflowName} takes a ${message.type}${detail} from ${from} in the stage ${state.currentStage}.`,
    },
  };
}

/**
 * A `getNextStage` for a workflow that is routed by a table: the entry stage at first, then the stage to which the newest
 * output leads. Null while a stage is under way, and at the end.
 */
export function nextByRules(
  definition: WorkflowDefinition,
  routeMessage: StageDefinition['routeMessage'],
): StageDefinition['getNextStage'] {
  return (state) => {
    const last = state.stageHistory.at(-1);
    if (last === undefined) return definition.entryStage;
    if (last.status !== 'complete') return null;
    const output = state.messages?.findLast(({ id }) => last.outputMessageIds.includes(id));
    if (output === undefined) return null;
    // Routing may change the state; asking must not.
    const copy: StageWorkflowState = { ...structuredClone(state), currentStage: last.stageName };
    const to = routeMessage(output.from, output, copy).stageTransition?.to;
    return to === undefined || getStageDefinition(definition, to) === undefined ? null : to;
  };
}
