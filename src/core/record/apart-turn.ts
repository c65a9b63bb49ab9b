import type { AgentSession } from './agent-fact.ts';
import type { ResolvedTurn } from './task-fact.ts';

/**
 * A run that is one turn of the run above it, so that another worker can drive it. It has the workflow of that run, and its
 * agent works in the workspace and the conversation that it has there.
 */
export interface ApartTurn {
  /** The state of the run above in which the turn was ordered. */
  readonly state: string;
  /** How often the run above had entered it. */
  readonly visit: number;
  readonly work: ResolvedTurn;
  /** The client's conversation that the agent had then. */
  readonly session?: AgentSession;
  /** The tools that a person had allowed always. */
  readonly permits?: readonly string[];
}
