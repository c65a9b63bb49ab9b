import type { AgentRecord, Minion } from './history/agents.ts';

/** An agent that is a program of its own, as far as it told what it did. */
export interface AgentView {
  readonly agent: string;
  /** The kind of client, such as `claude-code`. */
  readonly actor: string;
  /** Its last conversation, as the client knows it. */
  readonly session: string;
  readonly turns: number;
  /** Tools it used itself, without those of its sub-agents. */
  readonly tools: number;
  /** What it was not let do. */
  readonly denials: readonly string[];
  /** Calls to its model that it made again. */
  readonly retries: number;
  readonly minions: readonly MinionView[];
  /** When the quota it waits for is there again. */
  readonly waitsUntil?: number;
}

/** A sub-agent that a client started by itself (Q8). */
export type MinionView = Omit<Minion, 'key'>;

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
