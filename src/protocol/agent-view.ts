import type { AgentRecord } from './history/agents.ts';
import type { AgentView } from './operations/answers/agent.ts';

export type { AgentView, MinionView } from './operations/answers/agent.ts';

/** The clients of a run, in the order of their first turn. */
export const agentViews = (agents: readonly AgentRecord[]): readonly AgentView[] =>
  agents.flatMap(({ agent, actor, client, minions }) => {
    if (client === null) return [];
    const { session, turns, tools, denials, retries, waitsUntil } = client;
    return [
      {
        agent,
        actor: actor ?? '',
        session,
        turns: turns.length,
        tools,
        denials,
        retries,
        minions: minions.map(({ key: _key, ...minion }) => minion),
        ...(waitsUntil === null ? {} : { waitsUntil }),
      },
    ];
  });
