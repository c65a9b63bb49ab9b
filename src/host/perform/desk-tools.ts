import type { ToolCall } from '../../core/message.ts';
import { isJsonObject } from '../../core/json.ts';
import { needsPermission, permitOf } from '../../core/permit.ts';
import { boundResult } from '../../tools/bound-result.ts';
import type { Tool } from '../../tools/port.ts';
import { toolsFor } from '../../tools/tools-for.ts';
import type { Workspace } from '../../workspace/port.ts';
import type { Taken } from '../desk/port.ts';
import { clientPermission } from './client-permission.ts';
import type { Performance } from './performance.ts';
import type { Speaker } from './who-speaks.ts';

/**
 * Tools of MCP servers that a client gets at its desk, by the same rules as an agent that is a model: its own settings name
 * no servers, and what it calls is seen by the engine. Sorted, so that the list is the same in every turn.
 */
export function deskTools({ world }: Pick<Performance, 'world'>, { role }: Pick<Speaker, 'role'>): readonly Tool[] {
  const ofServers = world.tools.filter(({ origin }) => origin === 'mcp');
  const { tools } = toolsFor(role, ofServers);
  return tools.toSorted((one, other) => (one.spec.name < other.spec.name ? -1 : 1));
}

/** One call of such a tool, which ends nothing. */
export async function useDeskTool(performance: Performance, use: DeskToolUse): Promise<Taken> {
  const { tool, speaker, call, place, signal } = use;
  const { name, arguments: input } = call;
  const { role, agent } = speaker;
  if (needsPermission(role, permitOf(agent.name, name), performance.snapshot)) {
    const reply = await clientPermission(performance, { tool: name, input });
    if (!reply.isAllowed) return { isAccepted: false, text: reply.message ?? 'Not allowed.' };
  }
  const mode = role.mode ?? 'write';
  const result = await tool.run(isJsonObject(input) ? input : {}, { folder: place.folder, signal, mode });
  const content = performance.world.secrets?.redact(result.content) ?? result.content;
  const text = boundResult(content, { tool: name, input });
  return { isAccepted: false, text, ...(result.isError ? {} : { isAnswered: true }) };
}

export interface DeskToolUse {
  readonly tool: Tool;
  readonly speaker: Speaker;
  readonly call: ToolCall;
  readonly place: Workspace;
  readonly signal: AbortSignal;
}
