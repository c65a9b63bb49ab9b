import type { DeliveryCheck } from '../../core/record/delivery-fact.ts';
import type { ChangeView } from './change-view.ts';
import type { ConflictView } from './conflict-view.ts';

export type MergeTarget =
  | { readonly kind: 'branch'; readonly name: string }
  /** `isOwn`: a file that Troupe created, which may be overwritten. */
  | { readonly kind: 'patch'; readonly file: string; readonly isOwn: boolean }
  | { readonly kind: 'apply' };

/** The outcome of delivering a run's files; a line of `--json`. */
export type MergeOutcome = MergeEnd & {
  /** Why these files are no result; the user accepted them by name. */
  readonly unverified?: string;
  /** Files of the result that steer the user's programs. */
  readonly steering?: readonly MergeReport[];
  /** Those of them that were not written into the project. */
  readonly held?: readonly MergeReport[];
  /** Files of the result that were also copied to a folder of the user. */
  readonly copied?: CopiedFiles;
  /** The check that the merged files went through. */
  readonly check?: DeliveryCheck;
};

export interface CopiedFiles {
  readonly to: string;
  readonly written: readonly string[];
  /** Files that were not copied, because others with the same name exist. */
  readonly refused: readonly MergeReport[];
}

type MergeEnd =
  /** There is nothing to deliver, or it is there already. */
  | ({ readonly kind: 'result.unchanged'; readonly run: string; readonly target: MergeTarget['kind'] } & NotBrought)
  | MergeBranch
  | MergePatch
  | ({
      readonly kind: 'result.applied';
      readonly run: string;
      readonly project: string;
      readonly changes: readonly ChangeView[];
      readonly cautions: readonly MergeReport[];
      /** The record to roll back to. */
      readonly undoTo: number;
    } & NotBrought)
  | MergeConflict
  | MergeNotVerified;

export interface MergeBranch {
  readonly kind: 'result.branch';
  readonly run: string;
  readonly branch: string;
  readonly commit: string;
  readonly changes: readonly ChangeView[];
  readonly leftOut: readonly MergeReport[];
  /** Conflicts with the current commit. The branch then starts where the run began, and git asks when it is merged. */
  readonly conflicts: readonly ConflictView[];
  /** Files in which the run continued uncommitted work; that work has its own commit before the run's. */
  readonly uncommitted: readonly string[];
}

/** Files that the run made and no tree holds; absent if there are none. */
interface NotBrought {
  readonly leftOut?: readonly MergeReport[];
}

export interface MergePatch extends NotBrought {
  readonly kind: 'result.patch';
  readonly run: string;
  readonly file: string;
  readonly changes: readonly ChangeView[];
  readonly beyondPatch: readonly ChangeView[];
  /** Conflicts with the user's current files. The patch is then relative to what the run began with, and does not apply as a whole. */
  readonly conflicts: readonly ConflictView[];
}

/** Nothing was written. */
export interface MergeConflict {
  readonly kind: 'result.conflict';
  readonly run: string;
  /** The user's files as they are, or the commit that is checked out. */
  readonly against: 'project' | 'commit';
  readonly conflicts: readonly ConflictView[];
}

export interface MergeNotVerified {
  readonly kind: 'result.not-verified';
  readonly run: string;
  readonly command: string;
  readonly exitCode: number | null;
  readonly reason: string;
  readonly output: string;
  /** Where the merged files can be inspected. */
  readonly folder: string;
}

export interface MergeReport {
  readonly path: string;
  readonly why: string;
}
