import type { TreeId } from '../model/ids.ts';
import type { Snapshot } from '../fold/snapshot.ts';

/** Why the files of a workspace are no result (L4): a merge or a check refused them, or the workflow itself says so. */
export interface ResultDoubt {
  readonly code: 'RESULT_IN_CONFLICT' | 'RESULT_NOT_VERIFIED';
  readonly why: string;
}

/** The user's own check of exactly these files failed, and none has passed since. */
export function failedCheck(
  { handed }: Snapshot,
  { workspace, tree }: { readonly workspace: string; readonly tree: TreeId | undefined },
): ResultDoubt | null {
  if (handed?.workspace !== workspace || handed.tree !== tree) return null;
  const { how, command = '', reason = '', unverified } = handed;
  if (unverified !== undefined) return { code: 'RESULT_NOT_VERIFIED', why: unverified };
  if (how !== 'not-verified') return null;
  return { code: 'RESULT_NOT_VERIFIED', why: `The files did not pass \`${command}\`. ${reason}`.trim() };
}
