import type { Position } from '../../core/fault.ts';
import type { Message } from '../../core/message.ts';
import type { AgentSpec, ContextSpec } from '../../core/workflow.ts';
import { nameHint } from '../source/closest-name.ts';
import type { PlacedAgent } from '../source/placed-agent.ts';
import { lowerCode } from './lower-code.ts';
import type { LoweringScope } from './lower-workflow.ts';
import type { WorkflowParts } from './workflow-parts.ts';
import type { AgentDocument, ContextDocument } from './workflow-schema.ts';

/** Who takes part and where they talk. */

const DEFAULT_MAX_LENGTH = 50_000;

export function lowerContexts(parts: WorkflowParts, scope: LoweringScope): readonly ContextSpec[] {
  reportTwice(
    parts.contexts.map((context) => context?.name),
    (name, index) =>
      scope.report.error('CONTEXT_DUPLICATE', `Two contexts are named "${name}".`, {
        path: [...scope.base, 'contexts', index, 'name'],
      }),
  );
  return parts.contexts.flatMap((context) => (context === null ? [] : [lowerContext(context, parts.agents)]));
}

export function lowerAgents(parts: WorkflowParts, scope: LoweringScope): readonly AgentSpec[] {
  reportTwice(
    parts.agents.map((agent) => agent?.agent_role),
    (name, index) =>
      scope.report.error('AGENT_DUPLICATE', `The agent_role "${name}" is given twice.`, {
        path: [...scope.base, 'agents', index, 'agent_role'],
        hint: 'States name an agent by its role, so a role can take part once. Give the second one a role of its own.',
      }),
  );
  return parts.agents.flatMap((agent, index) => (agent === null ? [] : [lowerAgent(agent, index, scope)]));
}

function lowerContext(context: ContextDocument, agents: WorkflowParts['agents']): ContextSpec {
  // Words of an assistant that nobody spoke yet belong to the agent that has this side of the conversation.
  const speaker = agents.find((agent) => agent?.context === context.name && agent.role === 'assistant');
  return {
    name: context.name,
    startingMessages: (context.starting_messages ?? []).map(({ role, content }): Message => {
      const author = role === 'system' ? 'system' : ((role === 'assistant' ? speaker?.agent_role : null) ?? 'workflow');
      return { author, role, content };
    }),
    maxLength: context.max_length ?? DEFAULT_MAX_LENGTH,
  };
}

function lowerAgent(agent: AgentDocument, index: number, scope: LoweringScope): PlacedAgent {
  const path = [...scope.base, 'agents', index];
  if (agent.context !== '' && !scope.names.contexts.has(agent.context)) {
    scope.report.error('CONTEXT_UNKNOWN', `There is no context named "${agent.context}".`, {
      path: [...path, 'context'],
      hint: nameHint(agent.context, [...scope.names.contexts]),
    });
  }
  const model = agent.model === undefined ? null : lowerCode(agent.model, [...path, 'model'], scope);
  const at: Position | undefined = scope.report.origin.locate([...path, 'agent_role']);
  return {
    name: agent.agent_role,
    role: agent.agent_role,
    context: agent.context,
    side: agent.role,
    ...(agent.workspace === undefined ? {} : { workspace: agent.workspace }),
    ...(agent.holds === undefined ? {} : { holds: agent.holds }),
    ...(agent.actor === undefined ? {} : { actor: agent.actor }),
    ...(model === null ? {} : { model }),
    ...(at === undefined ? {} : { at }),
  };
}

function reportTwice(names: readonly (string | undefined)[], tell: (name: string, index: number) => void): void {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (name === undefined) continue;
    if (seen.has(name)) tell(name, index);
    seen.add(name);
  }
}
