import type { AgentSession } from './agent-fact.ts';
import type { ResolvedTurn } from './task-fact.ts';
import type { Message, ToolCall } from '../model/message.ts';

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

/** What remains of the turn when that run is over. It is all that the run above knows of it besides files and cost. */
export interface LeftTurn {
  readonly messages: readonly Message[];
  readonly accepted: readonly ToolCall[];
  /** How much of the conversation it saw, and of the agent's own view. */
  readonly sees: number;
  readonly seesOfView?: number;
  /** What it saw in place of the conversation, if that was compacted in the turn. */
  readonly base?: readonly Message[];
  readonly returned?: ToolCall;
  /** Messages of a person that it had no call for. */
  readonly told?: readonly Message[];
  readonly session?: AgentSession;
  readonly permits?: readonly string[];
}
