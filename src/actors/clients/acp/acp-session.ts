import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../core/model/json.ts';
import type { Role } from '../../../core/model/role.ts';
import type { CostUsd } from '../../../core/model/usage.ts';
import { readHeldFile, writeHeldFile } from '../../../lib/held-file.ts';
import { type ClientOrder, DESK_NAME } from '../../port.ts';
import { objectIn, objectListIn, stringIn } from '../../read-json.ts';
import { systemText, type SystemWords } from '../prompt-text.ts';
import { withBooks } from '../client-home.ts';
import type { AcpAgent } from './acp-agent.ts';

/** The request that starts, resumes or copies a conversation. */
export interface Opening {
  readonly method: string;
  readonly params: JsonObject;
  /** The conversation to continue; empty if there is none yet. */
  readonly session: string;
  /** The conversation that must be known for it. */
  readonly known: string | null;
  /** The role's words need not stand in front of the order. */
  readonly isRoleSent: boolean;
}

export interface OpeningContext {
  readonly agent: AcpAgent;
  readonly role: Role;
  /** Text that all agents of the run read first. */
  readonly shared: string;
  readonly order: ClientOrder;
}

/** Follows the agent's capabilities. A missing capability is tried anyway: the refusal is then reported. */
export function sessionOpening({ agent, role, shared, order }: OpeningContext, capabilities: JsonObject): Opening {
  const { session, place } = order;
  const abilities = objectIn(capabilities['sessionCapabilities']);
  const system = systemPrompt({ shared, role }, abilities);
  const params = {
    cwd: place.folder,
    mcpServers: serversOf(order, capabilities),
    ...(system === null ? {} : { systemPrompt: system }),
    ...agent.sessionFields?.(role, order),
  };
  const isRoleSent = system !== null || session.how !== 'new';
  if (session.how === 'new') return { method: 'session/new', params, session: '', known: null, isRoleSent };
  if (session.how === 'forked') {
    const from = { ...params, sessionId: session.from };
    return { method: 'session/fork', params: from, session: '', known: session.from, isRoleSent };
  }
  // Without its history, where that can be had.
  const method = abilities['resume'] === undefined || abilities['resume'] === null ? 'session/load' : 'session/resume';
  return { method, params: { ...params, sessionId: session.id }, session: session.id, known: session.id, isRoleSent };
}

function systemPrompt(given: SystemWords, abilities: JsonObject): JsonObject | null {
  const words = systemText(given);
  if (words === '' || Object.keys(objectIn(abilities['systemPrompt'])).length === 0) return null;
  return { mode: 'append', content: [{ type: 'text', text: words }] };
}

/** The desk, over HTTP where the agent can, else by a program that passes it on. */
function serversOf({ desk }: ClientOrder, capabilities: JsonObject): JsonObject[] {
  if (desk === null) return [];
  if (objectIn(capabilities['mcpCapabilities'])['http'] === true) {
    return [{ type: 'http', name: DESK_NAME, url: desk.url, headers: named(desk.headers) }];
  }
  const [command = '', ...args] = desk.bridge.command;
  return [{ name: DESK_NAME, command, args, env: named(desk.bridge.environment) }];
}

const named = (fields: Readonly<Record<string, string>>): JsonObject[] =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

/** The first of these modes that the agent has; null if it has none of them or is in it already. */
export function modeToSet(opened: JsonObject, preferred: readonly string[]): string | null {
  const modes = objectIn(opened['modes']);
  const known = new Set(objectListIn(modes['availableModes']).map((mode) => stringIn(mode['id'])));
  const mode = preferred.find((each) => known.has(each));
  return mode === undefined || mode === modes['currentModeId'] ? null : mode;
}

/** By which setting the model is chosen, empty where it cannot be; and which one it is. */
export function modelChoice(opened: JsonObject): { readonly configId: string; readonly current: string } {
  const option = objectListIn(opened['configOptions']).find((each) => each['category'] === 'model') ?? {};
  const current = stringIn(option['currentValue']) || stringIn(objectIn(opened['models'])['currentModelId']);
  return { configId: stringIn(option['id']), current };
}

/**
 * The cost of a conversation so far. Agents report its total, so the cost of a resumed turn is a difference. Stored where no
 * agent can write.
 */
export async function costSoFar(home: string, session: string): Promise<CostUsd> {
  try {
    const words = await withBooks(home, (folder) => readHeldFile(folder, nameOf(session), { maxBytes: 64 }));
    const cost = Number.parseFloat(words.toString('utf8'));
    return Number.isFinite(cost) && cost >= 0 ? cost : null;
  } catch {
    return null;
  }
}

export async function noteCost(home: string, session: string, cost: number): Promise<void> {
  const content = `${cost}\n`;
  await withBooks(home, (folder) => writeHeldFile(folder, nameOf(session), { content, mode: 0o600 }));
}

/** An agent may call its conversations whatever it likes. */
const nameOf = (session: string): string => createHash('sha256').update(session).digest('hex').slice(0, 32);
