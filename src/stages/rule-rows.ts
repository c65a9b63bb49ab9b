import type { AgentRole, MessageType } from './agent-message.ts';
import type { RoutingRule, StageDefinition } from './stage-workflow.ts';

/** What can be told of a row of a routing table without running it. */
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

/** Lets whoever has the function see the table it was made from. */
export function withRows<T extends StageDefinition['routeMessage']>(route: T, rules: readonly RoutingRule[]): T {
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
