import type { Json, JsonObject } from '../../core/model/json.ts';
import { conflictJson } from '../perform/files/conflict-json.ts';
import type { BranchConflict } from '../../workspace/changes/branch-tree.ts';
import type { ApplyConflict } from '../../workspace/changes/check-step.ts';
import type { Conflict, ConflictKind } from '../../workspace/changes/conflict.ts';
import { canChoose } from '../../workspace/changes/plan-apply.ts';
import { changedPathText } from './change-view.ts';

/** A path that was changed on both sides, or blocks another one; the same in every output. */
export interface ConflictView {
  readonly path: string;
  readonly kind: string;
  readonly base?: Json;
  readonly ours?: Json;
  readonly theirs?: Json;
}

export function conflictView(conflict: Conflict | BranchConflict): ConflictView {
  const sides = conflictJson({ ...conflict, kind: 'content' }) as JsonObject;
  return { ...sides, path: changedPathText(conflict.path), kind: conflict.kind };
}

export const standingInTheWay = ({ path, kind }: ApplyConflict): ConflictView => ({
  path: changedPathText(path),
  kind,
});

/** Both versions exist, and one can be chosen. */
export const isChoice = ({ kind, ours, theirs }: ConflictView): boolean =>
  canChoose({ kind: kind as ConflictKind }) && (ours ?? theirs ?? null) !== null;
