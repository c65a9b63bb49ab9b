import type { Json, JsonObject } from './json.ts';
import type { Message } from './message.ts';
import type { ReplyNeed } from '../step/turn/reply-needs.ts';
import type { SignalName } from './signal-name.ts';

/** Who an agent is: its model level, introduction and tools. */
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
  /** What its tools may do (PH3): only read, also run commands on a throw-away copy, or write. Default: `write`. */
  readonly mode?: RoleMode;
  /** Its commands reach the network. */
  readonly network?: boolean;
  /** The roles it may start sub-agents of. Default: only its own. */
  readonly tasks?: readonly string[];
  /** Tools that need a person's permission, each time or once for the run. */
  readonly ask?: readonly string[];
  /** Who plays it: a client such as `claude-code`, `codex` or `acp:gemini`. Default: a model of the configuration. */
  readonly actor?: string;
  /** The signals it may send. A role with signals must end each turn with one (Q2). */
  readonly signals?: readonly SignalName[];
  /** The roles it may ask for with `needs-role-followup`. */
  readonly followups?: readonly string[];
  /** The roles that step in, one after the other, when it failed at a stage (ST5). */
  readonly fallback?: readonly string[];
  /** It may report its progress, also in a turn that owes nothing (PH5). */
  readonly reportsProgress?: true;
}

export type RoleMode = 'read' | 'commands' | 'write';

const WIDTHS: readonly RoleMode[] = ['read', 'commands', 'write'];

export const narrower = (one: RoleMode = 'write', other: RoleMode = 'write'): RoleMode =>
  WIDTHS.indexOf(one) < WIDTHS.indexOf(other) ? one : other;

/** A structured reply: calling it ends the turn, its arguments are the answer. */
export interface ParsingTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly needs?: readonly ReplyNeed[];
}

/** Choices of the person who started a run. */
export interface Chosen {
  /** The model for a level. */
  readonly models?: Readonly<Record<string, string>>;
  /** Who plays, by role or agent; `others` for the rest. */
  readonly actors?: { readonly byName: Readonly<Record<string, string>>; readonly others: string | null };
  readonly slots?: number;
  /** Where the paths of its files start, if not in the project's root. */
  readonly folder?: string;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

export type ToolArguments = Readonly<Record<string, Json>>;
