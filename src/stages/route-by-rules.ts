import type { AgentMessage, AgentRole } from './agent-message.ts';
import { timestamp } from './make-message.ts';
import { metadataOf, verdictOf } from './read-message.ts';
import { withRows } from './rule-rows.ts';
import type { RoutingDecision, RoutingRule, StageDefinition } from './stage-workflow.ts';
import type { StageWorkflowState } from './workflow-state.ts';

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
