import type { OpenConflicts, RefusedFiles } from './files-fact.ts';

/** What speaks against the files of a workspace. */
export interface FileDoubts {
  readonly open?: OpenConflicts;
  readonly refused?: RefusedFiles;
}

/** Only the doubts of a record, with absent ones left out. */
export function doubtsOf({ open, refused }: FileDoubts): FileDoubts {
  return { ...(open === undefined ? {} : { open }), ...(refused === undefined ? {} : { refused }) };
}
