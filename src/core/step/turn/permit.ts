import { listsTool } from '../../model/mcp-names.ts';
import type { ToolCall } from '../../model/message.ts';
import type { Role } from '../../model/role.ts';
import type { Snapshot } from '../../fold/snapshot.ts';
import type { TurnProgress } from '../../fold/turn-state.ts';

/** A tool that a person always allows an agent. */
export const permitOf = (agent: string, tool: string): string => `${agent}/${tool}`;

/** Whether a person must be asked before this call is run. */
export function needsPermission(role: Role | undefined, permit: string, { permits }: Snapshot): boolean {
  const tool = permit.slice(permit.lastIndexOf('/') + 1);
  return role?.ask !== undefined && listsTool(role.ask, tool) && !permits.includes(permit);
}

export interface PermissionQuestion {
  readonly id: string;
  readonly task: string;
  readonly toolCall: ToolCall;
  readonly agent: string;
  readonly state: string;
  readonly at: number;
  /** A built-in tool of a client, which the client uses itself. */
  readonly isOfClient: boolean;
}

export const permissionQuestion = (task: string, toolCall: string): string => `permit/${task}/${toolCall}`;

export const isPermission = (question: string): boolean => question.startsWith('permit/');

/** A tool was ordered and has not answered. One that waits for a person's permission was not ordered. */
export const isToolAtWork = (turn: TurnProgress | null | undefined): boolean =>
  turn?.openTools.some(({ id }) => !turn.asking.includes(id)) ?? false;

export const PERMISSION_CHOICES = ['yes', 'no', 'always'] as const;

/** The calls that wait for a person's permission. A yes that is kept closes the question until it can be accepted. */
export function openPermissions(snapshot: Snapshot): readonly PermissionQuestion[] {
  return Object.values(snapshot.tasks).flatMap((task) => {
    const { turn, work, state, id, startedAt } = task;
    if (turn === null || work.kind !== 'turn' || !mayAskInTurn(turn)) return [];
    const about = { task: id, agent: work.agent, state, at: startedAt };
    const named = (toolCall: ToolCall) => ({ ...about, id: permissionQuestion(id, toolCall.id), toolCall });
    const ofClient = (turn.asked ?? []).filter(({ isAllowed }) => isAllowed === null);
    const isKept = ({ id: question }: { readonly id: string }): boolean =>
      snapshot.askedFor[question]?.kept !== undefined && isToolAtWork(turn);
    return [
      ...turn.openTools
        .filter((call) => turn.asking.includes(call.id))
        .map((call) => ({ ...named(call), isOfClient: false }))
        .filter((asked) => !isKept(asked)),
      ...ofClient.map(({ call }) => ({ ...named(call), isOfClient: true })),
    ];
  });
}

/** Quick, and false for nearly every turn. */
export const mayAskInTurn = (turn: TurnProgress | null): boolean =>
  turn !== null && (turn.asking.length > 0 || turn.asked !== undefined);

export const permissionText = ({ agent, toolCall }: Pick<PermissionQuestion, 'agent' | 'toolCall'>): string =>
  `${agent} wants to use ${toolCall.name} with ${inFull(toolCall)}. Allow it?`;

/** The person who decides must see all of it, except what is too long to read. */
function inFull(call: ToolCall): string {
  const text = JSON.stringify(call.arguments);
  if (text.length <= 8000) return text;
  // The important part may be at the end of a long text.
  return `${text.slice(0, 4000)} … (${text.length - 8000} characters left out here) … ${text.slice(-4000)}`;
}
