import { isJsonObject, type Json } from '../../../src/core/json.ts';
import type { FileChange } from '../../../src/protocol/web/changes-page.ts';

/** What commands print with `--json` when they have done something, as far as the page shows it. */
export type MergeAnswer =
  | { readonly kind: 'result.unchanged'; readonly held?: readonly HeldFile[]; readonly unverified?: string }
  | {
      readonly kind: 'result.branch';
      /** Why its files are not verified; the user took them by name. */
      readonly unverified?: string;
      readonly branch: string;
      readonly changes: readonly FileChange[];
      readonly conflicts: readonly ShownConflict[];
    }
  | {
      readonly kind: 'result.patch';
      readonly unverified?: string;
      readonly file: string;
      readonly changes: readonly FileChange[];
      readonly conflicts: readonly ShownConflict[];
    }
  | {
      readonly kind: 'result.applied';
      readonly unverified?: string;
      readonly project: string;
      readonly changes: readonly FileChange[];
      readonly undoTo: number;
      readonly held?: readonly HeldFile[];
    }
  | { readonly kind: 'result.conflict'; readonly conflicts: readonly ShownConflict[] }
  | {
      readonly kind: 'result.not-verified';
      readonly command: string;
      readonly reason: string;
      readonly output: string;
    };

/** A file that steers the user's programs and was not written into the project. */
export interface HeldFile {
  readonly path: string;
  readonly why: string;
}

/** The user goes on from the others in the dialog. */
export type MergeEnd = Exclude<MergeAnswer, { readonly kind: 'result.conflict' | 'result.not-verified' }>;

export interface ShownConflict {
  readonly path: string;
  readonly kind: string;
  readonly ours?: Json;
  readonly theirs?: Json;
}

export interface ShownRollbackPlan {
  readonly kind: 'rollback.plan';
  /** Where the step ends: the run is put back to there. */
  readonly end: number;
  readonly project: { readonly files: readonly FileChange[]; readonly conflicts: readonly ShownConflict[] };
  readonly workspaces: readonly {
    readonly workspace: string;
    readonly changes: readonly FileChange[];
    readonly stays: readonly string[];
    readonly isDropped?: true;
  }[];
  readonly conversation: {
    readonly from: string;
    readonly to: string;
    readonly messages: number;
    readonly isSettled: boolean;
  } | null;
}

export interface ShownRollback {
  readonly kind: 'run.rolled-back';
  /** The record to go back to for undoing it. */
  readonly undo: number;
  readonly project: { readonly changed: readonly string[]; readonly conflicts: readonly ShownConflict[] };
}

const MERGES: ReadonlySet<string> = new Set([
  'result.unchanged',
  'result.branch',
  'result.patch',
  'result.applied',
  'result.conflict',
  'result.not-verified',
]);

/** The server passes on what the command said, so what has the kind of one is one. */
export const asMerge = (answer: Json): MergeAnswer | null =>
  MERGES.has(kindOf(answer)) ? (answer as unknown as MergeAnswer) : null;

/** Null: it is all as it was then already. */
export const asPlan = (answer: Json): ShownRollbackPlan | null =>
  kindOf(answer) === 'rollback.plan' ? (answer as unknown as ShownRollbackPlan) : null;

export const asRolledBack = (answer: Json): ShownRollback | null =>
  kindOf(answer) === 'run.rolled-back' ? (answer as unknown as ShownRollback) : null;

/** The run that a fork became. */
export const newRunIn = (answer: Json): string | null =>
  isJsonObject(answer) && typeof answer['run'] === 'string' ? answer['run'] : null;

const kindOf = (answer: Json): string =>
  isJsonObject(answer) && typeof answer['kind'] === 'string' ? answer['kind'] : '';
