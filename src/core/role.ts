import type { Json, JsonObject } from './json.ts';
import type { Message } from './message.ts';
import type { RetryPolicy, Workflow } from './workflow.ts';

/** Who an agent is: its model level, its words of introduction, its tools. */
export interface Role {
  readonly name: string;
  /** `base`, `smart`, `fast`, or the name of a model in the configuration. */
  readonly level: string;
  readonly systemMessage: string;
  /** Few-shot exchanges put before the conversation. */
  readonly examples: readonly Message[];
  readonly excludedTools: readonly string[];
  /** When given, only these tools; `excludedTools` still applies. */
  readonly includedTools: readonly string[] | null;
  readonly parsingTools: readonly ParsingTool[];
}

/** A structured reply: calling it ends the turn, its arguments are the answer. */
export interface ParsingTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** All a run needs to know besides its input; stored once, by hash, so that a resumed run keeps the definition it began with. */
export interface Definition {
  readonly workflow: Workflow;
  /** The workflows that `workflow` calls, and those they call, by name. */
  readonly library: Readonly<Record<string, Workflow>>;
  readonly roles: Readonly<Record<string, Role>>;
  /** How calls are tried again, where a state does not say. */
  readonly retry?: RetryPolicy;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

export type ToolArguments = Readonly<Record<string, Json>>;
