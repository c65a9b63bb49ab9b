import type { Position } from '../../core/fault.ts';
import type { AgentSpec } from '../../core/workflow.ts';

/** An agent that knows where it was written, so that a role nobody has defined can be told with a line. */
export interface PlacedAgent extends AgentSpec {
  readonly at?: Position;
  /** Where whom it is played by stands, when that is another line. */
  readonly actorAt?: Position;
}
