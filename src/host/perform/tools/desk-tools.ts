import { isJsonObject } from '../../../core/model/json.ts';
import type { ToolCall } from '../../../core/model/message.ts';
import { needsPermission, permitOf } from '../../../core/step/turn/permit.ts';
import type { ToolSpec } from '../../../core/model/role.ts';
import { boundResult } from '../../../tools/bound-result.ts';
import type { Tool } from '../../../tools/port.ts';
import { toolsFor } from '../../../tools/tools-for.ts';
import type { Workspace } from '../../../workspace/port.ts';
import type { TakenReply } from '../../desk/port.ts';
import type { World } from '../../world.ts';
import { clientPermission } from '../turn/client-permission.ts';
import type { EffectContext } from '../../world.ts';
import { turnSpecs } from './turn-tools.ts';
import type { Speaker } from '../turn/who-speaks.ts';

/** What a client finds at its desk: its replies, the tools of its turn, and tools that do not ship with Troupe. */
export interface DeskTools {
  readonly specs: readonly ToolSpec[];
  /** Those of the project and of MCP servers. */
  readonly added: readonly Tool[];
}

/**
 * Tools of the project and of MCP servers follow the same rules as for a model: the client's own settings name no servers,
 * and the engine sees each call. Sorted, so that the list is the same in every turn.
 */
export function deskTools(world: Pick<World, 'tools'>, speaker: Speaker): DeskTools {
  const { role } = speaker;
  const replies = [...role.parsingTools, ...turnSpecs(speaker)];
  const candidates = world.tools.filter(
    ({ origin, spec }) => origin !== undefined && !replies.some(({ name }) => name === spec.name),
  );
  const added = toolsFor(role, candidates).tools.toSorted((one, other) => (one.spec.name < other.spec.name ? -1 : 1));
  return { specs: [...replies, ...added.map(({ spec }) => spec)], added };
}

/** One call of such a tool, which ends nothing. It works in the client's workspace, which is reserved for the client during its turn. */
export async function useDeskTool(context: EffectContext, use: DeskToolUse): Promise<TakenReply> {
  const { tool, speaker, call, place, signal } = use;
  const { name, arguments: input } = call;
  const { role, agent } = speaker;
  if (needsPermission(role, permitOf(agent.name, name), context.snapshot)) {
    const reply = await clientPermission(context, { tool: name, input });
    if (!reply.isAllowed) return { isAccepted: false, text: reply.message ?? 'Not allowed.' };
  }
  const { mode = 'write', network = false } = role;
  const { folder } = place;
  const result = await tool.run(isJsonObject(input) ? input : {}, { folder, signal, mode, network, place });
  const content = context.world.secrets?.redact(result.content) ?? result.content;
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
