import { isJsonObject, type Json, type JsonObject } from '../core/model/json.ts';
import type { Workflow } from '../core/model/workflow.ts';
import type { Drafted } from '../source/checked.ts';
import type { Origin } from '../source/problem-report.ts';
import type { PlacedRole } from '../source/roles/placed-role.ts';

/** The questions that the rest of the engine asks a family instead of checking its name. */
export interface Family {
  /** Its files, where it is written as JSON or YAML. */
  readonly documents?: {
    /** Whether a document is meant to be of this family, mistakes and all. */
    readonly recognises: (document: Json) => boolean;
    readonly parse: (document: Json, origin: Origin) => Drafted<readonly Workflow[]>;
  };
  /** Shipped workflows without a file. */
  readonly shipped?: () => Promise<readonly Workflow[]>;
  /** Its workflows with what the project's roles add; the others as they are. */
  readonly withRoles?: (
    workflows: readonly Workflow[],
    roles: Readonly<Record<string, PlacedRole>>,
  ) => readonly Workflow[];
  /** The command that starts one, where it is not `run`. */
  readonly command?: string;
  /** Its authors' term for a role. */
  readonly roleWord?: string;
  /** A hint for a missing role; `similar` lists existing ones. */
  readonly roleHint?: (
    wrong: string,
    roles: Readonly<Record<string, PlacedRole>>,
    similar: string | undefined,
  ) => string | undefined;
  /** A name with a slash is one like any other, and not that of a part. */
  readonly hasPlainNames?: true;
  /** Each of its agents has outputs that fit what the agent may do. */
  readonly fitsModes?: true;
  /** Its functions run while it runs. */
  readonly runsCode?: true;
  /** Several implement the same, and the best is taken. */
  readonly takesBest?: true;
  /** The input that names the command by which work is verified. */
  readonly verifyInput?: string;
  /** Which state stands for a state in a drawing: for those that the engine makes, what the author wrote. */
  readonly drawnAs?: (state: string, states: Workflow['states']) => string;
  /** The part of the author's file that a drawing needs besides the workflow: notes about units, or the states themselves. */
  readonly drawnFrom?: 'units' | 'states';
  /** The part of the workflow that its agents talk about; default: the state. */
  readonly topicOf?: (workflow: Workflow) => string | undefined;
  /** The changes in its file, in its authors' terms. */
  readonly changeWords?: (workflow: JsonObject, parts: readonly ChangedPart[]) => readonly string[];
  /** Defaults of inputs that stand in the text of the file only. */
  readonly writtenDefaults?: (text: string, workflow: Workflow) => JsonObject;
}

/** A changed part of a workflow, such as the state "work". */
export interface ChangedPart {
  readonly key: string;
  /** Null for a part without sub-parts. */
  readonly name: string | null;
  readonly how: 'added' | 'removed' | 'changed';
  readonly old: Json | undefined;
  readonly now: Json | undefined;
}

/** The changes without duplicates; `other` if there are none to name. */
export const changesOr = (words: readonly string[], other: string): readonly string[] =>
  words.length === 0 ? [`${other} changed`] : [...new Set(words)];

/** For a list, of its first entry. */
export function hasKey(document: Json, key: string): boolean {
  const first: Json | undefined = Array.isArray(document) ? (document as readonly Json[])[0] : document;
  return isJsonObject(first) && Object.hasOwn(first, key);
}
