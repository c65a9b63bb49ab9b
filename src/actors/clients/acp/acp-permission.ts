import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { Role, RoleMode } from '../../../core/model/role.ts';
import type { CallOptions, ClientOrder, PermissionReply } from '../../port.ts';
import { objectListIn, stringIn } from '../../read-json.ts';
import type { KnownTool } from './acp-story.ts';

export interface AcpAsking {
  readonly role: Role;
  readonly order: ClientOrder;
  readonly options: Pick<CallOptions, 'onPermission'>;
}

/** Decides by the rules or by the person who decides; denied if there is neither. */
export async function permissionFor(tool: KnownTool, { role, order, options }: AcpAsking): Promise<PermissionReply> {
  const ruling = rulingOn(tool, role, order);
  if (ruling !== 'ask') return { isAllowed: ruling === 'allow' };
  const { name, kind, title, input } = tool;
  try {
    const asked = { tool: name || kind || title, input, ...(title === '' ? {} : { reason: title }) };
    return (await options.onPermission?.(asked)) ?? { isAllowed: false };
  } catch {
    return { isAllowed: false };
  }
}

/** `ask`: a person or a rule of the engine decides. */
export type Ruling = 'allow' | 'deny' | 'ask';

/**
 * The answer when the agent asks for permission. The sandbox limits it in any case, so actions that the role allows are not
 * asked about again. For an agent that does not ask only the sandbox counts.
 */
export function rulingOn(
  { kind, isDesk }: Pick<KnownTool, 'kind' | 'isDesk'>,
  role: Pick<Role, 'ask' | 'includedTools' | 'excludedTools'>,
  order: Pick<ClientOrder, 'mode' | 'network'>,
): Ruling {
  if (isDesk) return 'allow';
  const own = SAME[kind] ?? [];
  const isOfRole = own.length === 0 || own.some((name) => !isLeftOut(name, role));
  if (!isOfRole || isBeyond(kind, order)) return 'deny';
  if (own.some((name) => role.ask?.includes(name))) return 'ask';
  return order.mode === 'write' || kind in SAME || kind === 'think' ? 'allow' : 'ask';
}

const isLeftOut = (name: string, { includedTools, excludedTools }: Pick<Role, 'includedTools' | 'excludedTools'>) =>
  excludedTools.includes(name) || (includedTools !== null && !includedTools.includes(name));

/** The engine's tools that do what the protocol has one word for. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  read: ['read_file'],
  search: ['list_files', 'glob', 'grep'],
  edit: ['write_file', 'edit_file'],
  delete: ['write_file', 'edit_file'],
  move: ['write_file', 'edit_file'],
  execute: ['execute_terminal'],
  fetch: ['web_fetch', 'web_search'],
};

/** More than the mode allows. */
const isBeyond = (kind: string, { mode, network }: Pick<ClientOrder, 'mode' | 'network'>): boolean =>
  DENIED[mode].has(kind) || (kind === 'fetch' && !network);

const WRITING = ['edit', 'delete', 'move'];
const DENIED: Readonly<Record<RoleMode, ReadonlySet<string>>> = {
  read: new Set([...WRITING, 'execute', 'switch_mode']),
  commands: new Set([...WRITING, 'switch_mode']),
  write: new Set(),
};

/** The answer in the agent's own terms: for this once, where it offers that. */
export function outcomeFor(isAllowed: boolean, options: Json | undefined): JsonObject {
  const kinds = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const offered = objectListIn(options);
  const option = kinds.map((kind) => offered.find((each) => each['kind'] === kind)).find((each) => each !== undefined);
  return option === undefined
    ? PERMISSION_CANCELLED
    : { outcome: { outcome: 'selected', optionId: stringIn(option['optionId']) } };
}

/** The turn is over, or there is no fitting answer. */
export const PERMISSION_CANCELLED: JsonObject = { outcome: { outcome: 'cancelled' } };
