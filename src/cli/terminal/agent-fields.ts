import type { AgentView, MinionView } from '../../protocol/agent-view.ts';
import { clockTime } from './agent-story.ts';
import { counted, tokens } from '../../protocol/amounts.ts';
import { oneLine } from '../../protocol/plain-text.ts';

/** Agents that are programs, a line each, with their sub-agents below; name and value of each line. */
export function agentFields(agents: readonly AgentView[], now: number): readonly (readonly [string, string])[] {
  return agents.flatMap((agent) => [
    ['agent', agentText(agent)] as const,
    ...agent.denials.slice(0, MOST_LINES).map((denial) => ['', oneLine(`not allowed: ${denial}`, 200)] as const),
    ...minionLines(agent.minions),
    ...(agent.waitsUntil === undefined
      ? []
      : [['', `waits for quota until ${clockTime(agent.waitsUntil, now)}`] as const]),
  ]);
}

/** Others have no session of their own. */
export const isClientView = (agent: Partial<AgentView>): agent is AgentView => agent.session !== undefined;

const MOST_LINES = 12;

function agentText({ agent, actor, session, turns, tools, retries }: AgentView): string {
  const parts = [
    `${agent}: ${actor}, session ${session}`,
    counted(turns, 'turn'),
    ...(tools === 0 ? [] : [counted(tools, 'tool')]),
    ...(retries === 0 ? [] : [`${counted(retries, 'call')} made again`]),
  ];
  return oneLine(parts.join(', '), 300);
}

function minionLines(minions: readonly MinionView[]): readonly (readonly [string, string])[] {
  const shown = minions.slice(0, MOST_LINES);
  const more = minions.length - shown.length;
  return [
    ...shown.map((minion) => ['', `${'  '.repeat(depthOf(minion, minions))}└ ${minionText(minion)}`] as const),
    ...(more > 0 ? [['', `└ and ${more} more`] as const] : []),
  ];
}

function minionText({ name, status, text, usage, tools }: MinionView): string {
  const about = text === undefined || text === '' ? name : `${name}: ${text}`;
  const parts = [
    status,
    ...(usage === undefined ? [] : [tokens(usage)]),
    ...(tools === 0 ? [] : [counted(tools, 'tool')]),
  ];
  return oneLine(`${about} (${parts.join(', ')})`, 200);
}

const DEEPEST = 4;

/** A client chooses the ids; they need not form a tree. */
function depthOf({ parent }: MinionView, all: readonly MinionView[]): number {
  let depth = 0;
  for (let id = parent; id !== undefined && depth < DEEPEST; id = all.find((one) => one.id === id)?.parent) depth += 1;
  return depth;
}
