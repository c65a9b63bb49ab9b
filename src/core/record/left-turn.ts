import type { Message, ToolCall } from '../model/message.ts';
import type { AgentSession } from './agent-fact.ts';

/** What remains of a turn that a run below took: all that the run above knows of it besides its result, files and cost. */
export interface LeftTurn {
  readonly messages: readonly Message[];
  readonly accepted: readonly ToolCall[];
  /** How much of the conversation it saw, and of the agent's own view. */
  readonly sees: number;
  readonly seesOfView?: number;
  /** What it saw in place of the conversation, if that was compacted in the turn. */
  readonly base?: readonly Message[];
  readonly returned?: ToolCall;
  /** Those that answered. */
  readonly models: readonly string[];
  /** Messages of a person that it had no call for. */
  readonly remarks?: readonly Message[];
  readonly session?: AgentSession;
  /** The turn was taken in that session, and not by an actor that has none. */
  readonly isInSession?: true;
  readonly permits?: readonly string[];
}
