import type { Json } from '../core/json.ts';
import type { ToolSpec } from '../core/role.ts';

/** Something an agent may do. The engine runs it; the agent only asks. */
export interface Tool {
  readonly spec: ToolSpec;
  /** `safe`: doing it again with the same arguments gives the same end. After a crash an `unsafe` one is told as unknown, never repeated. */
  readonly repeat: 'safe' | 'unsafe';
  run(input: Readonly<Record<string, Json>>, context: ToolContext): Promise<ToolResult>;
}

export interface ToolContext {
  /** The folder the agent works in; nothing outside it is reachable through a tool. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** An answer is a value: what went wrong is told to the agent, not thrown. */
export interface ToolResult {
  readonly content: string;
  readonly isError: boolean;
}
