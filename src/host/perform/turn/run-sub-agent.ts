import type { Spent } from '../../../core/model/usage.ts';
import type { ToolRun } from '../../../core/model/effect.ts';
import type { WorkResult } from '../../../core/model/event.ts';
import { isJsonObject } from '../../../core/model/json.ts';
import { subAgentTask } from '../../../core/fold/open-children.ts';
import type { Role } from '../../../core/model/role.ts';
import { subAgentDefinition, subAgentsOf } from '../../../core/model/sub-agent.ts';
import { NO_USAGE } from '../../../core/model/usage.ts';
import type { AgentSpec } from '../../../core/model/workflow.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import type { ToolResult } from '../../../tools/port.ts';
import type { EffectContext } from '../../world.ts';

/** The cost of a sub-agent's run. */
export interface PaidResult {
  readonly spent: Spent;
}

/**
 * An agent starts a sub-agent (Q8): a child run in the same workspace, paid from the same budget. After a crash the same run
 * continues, so nothing is done twice.
 */
export async function runSubAgent(
  context: EffectContext,
  use: { readonly effect: ToolRun; readonly agent: AgentSpec; readonly role: Role },
): Promise<ToolResult & Partial<PaidResult>> {
  const { definition, snapshot, run } = context;
  const { effect, agent, role } = use;
  const { role: name = role.name, prompt = '' } = argumentsOf(effect);
  const refusal = refusalFor(context, role, name);
  if (refusal !== null) return { content: refusal, isError: true, refused: 'SUB_AGENT_REFUSED' };
  if (run.split('/').length > MAX_DEPTH) {
    return { content: 'Sub-agents may not go deeper. Do it yourself.', isError: true, refused: 'SUB_AGENT_TOO_DEEP' };
  }
  const settled = await context.startBelow({
    task: subAgentTask(snapshot, effect.task, effect.toolCall.id),
    input: { prompt },
    definition: () => subAgentDefinition(definition, name, role),
    workspace: () => workspaceOf(snapshot, agent),
  });
  return resultOf(settled);
}

const MAX_DEPTH = 4;

function argumentsOf({ toolCall }: ToolRun): { readonly role?: string; readonly prompt?: string } {
  const given = isJsonObject(toolCall.arguments) ? toolCall.arguments : {};
  const { role, prompt } = given;
  return {
    ...(typeof role === 'string' ? { role } : {}),
    ...(typeof prompt === 'string' ? { prompt } : {}),
  };
}

function refusalFor({ definition }: EffectContext, role: Role, name: string): string | null {
  const allowed = subAgentsOf(role, definition.roles);
  if (allowed.includes(name)) return null;
  return `You may not start a sub-agent with the role "${name}". You may start: ${allowed.join(', ') || 'none'}.`;
}

function resultOf({ outcome, output, failure, usage = NO_USAGE, costUsd = null }: WorkResult): ToolResult & PaidResult {
  const spent = { usage, costUsd };
  if (outcome === 'ok') {
    return { content: typeof output === 'string' ? output : JSON.stringify(output), isError: false, spent };
  }
  return {
    content: `The sub-agent came out ${outcome}: ${failure?.message ?? 'no reason given'}`,
    isError: true,
    spent,
  };
}
