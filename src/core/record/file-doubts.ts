import type { OpenConflicts, RefusedFiles } from './files-fact.ts';
import type { TreeId } from '../model/ids.ts';

/** Reasons not to trust the files of a workspace. */
export interface FileDoubts {
  readonly open?: OpenConflicts;
  readonly refused?: RefusedFiles;
}

/** The refusal of a command state. It is about the files that the command failed on, and ends when they change. */
export const COMMAND_REFUSAL = 'COMMAND_FAILED' as const;

/** A merge's refusal stands until a check has passed, a command's only for the files that it failed on. */
export const lastingRefusal = (refused: RefusedFiles | undefined, tree: TreeId): RefusedFiles | null =>
  refused === undefined || (refused.code === COMMAND_REFUSAL && refused.tree !== tree) ? null : refused;

/** Only the doubts of a record, with absent ones left out. */
export function doubtsOf({ open, refused }: FileDoubts): FileDoubts {
  return { ...(open === undefined ? {} : { open }), ...(refused === undefined ? {} : { refused }) };
}
