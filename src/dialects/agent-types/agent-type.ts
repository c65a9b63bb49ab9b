import type { RolePart } from '../roles/role-part.ts';
import type { AgentMode } from './agent-mode.ts';
import type { PromptLine } from './prompt-line.ts';

/** A kind of agent (PH3): a mode, a prompt made of layers, and the settings of a role. It is lowered to a role of its name. */
export interface AgentType {
  readonly name: string;
  readonly description: string;
  readonly preset: string | null;
  readonly mode: AgentMode;
  readonly layers: readonly string[];
  /** Instead of the tools of its mode. */
  readonly tools: readonly string[] | null;
  /** Besides them. */
  readonly moreTools: readonly string[];
  /** Level, actor and whatever else a role has. */
  readonly role: RolePart;
  /** Where it was written, the shipped file first. */
  readonly files: readonly string[];
  readonly promptIn: (mode: AgentMode) => readonly PromptLine[];
}

export type AgentTypes = Readonly<Record<string, AgentType>>;
