import { z } from 'zod';
import type { Activity } from '../../../core/record/agent-fact.ts';
import { usage, core, list, type Wire } from '../parts.ts';

/** A sub-agent that a client started by itself (Q8). */
const minionViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: core<Activity['status']>(),
  text: z.string().exactOptional(),
  usage: usage.exactOptional().describe("Part of the agent's own usage"),
  tools: z.number(),
  parent: z.string().exactOptional().describe('The sub-agent that started it'),
});

/** An agent that is a separate program, as far as it reported its work. */
export const agentViewSchema = z.object({
  agent: z.string(),
  actor: z.string().describe('The kind of client, such as `claude-code`'),
  session: z.string().describe('Its last conversation, as the client knows it'),
  turns: z.number(),
  tools: z.number().describe('Tools it used itself, without those of its sub-agents'),
  denials: list(z.string()).describe('Actions that were refused'),
  retries: z.number().describe('Calls to its model that it made again'),
  minions: list(minionViewSchema),
  waitsUntil: z.number().exactOptional().describe('When the quota it waits for is there again'),
});

export type AgentView = Wire<typeof agentViewSchema>;
export type MinionView = Wire<typeof minionViewSchema>;
