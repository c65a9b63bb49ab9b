/** `GET /api/runs/:run/changes`: what `diff --json` prints. */
export interface ChangesPage {
  readonly workspace: string;
  readonly folder: string;
  /** The trees that were compared; `GET /api/runs/:run/file` gives their files. */
  readonly before: string;
  readonly after: string;
  readonly files: readonly FileChange[];
  readonly added: number;
  readonly removed: number;
  /** The folder holds something that no record names. */
  readonly hasMore: boolean;
  /** The commit it was compared with, where a branch, tag or commit was named. */
  readonly against?: { readonly ref: string; readonly commit: string };
  /** What a comparison with a commit says nothing of; left out where there is nothing of the kind. */
  readonly notCompared?: NotComparedFiles;
  /** One of the two: the second where its bytes are no text. */
  readonly patch?: string;
  readonly patchBase64?: string;
}

export interface FileChange {
  /** As it may be printed anywhere. */
  readonly path: string;
  readonly change: 'added' | 'deleted' | 'modified' | 'mode' | 'type';
  readonly kind: string;
  /** Lines; left out where they were not counted. */
  readonly added?: number;
  readonly removed?: number;
  readonly isBinary?: true;
  /** Bytes before and after; only of what is no text. */
  readonly bytes?: readonly [number | null, number | null];
  /** Before and after, where it is another one. */
  readonly mode?: readonly [string, string];
}

export interface NotComparedFiles {
  readonly count: number;
  /** The first of them. */
  readonly some: readonly NotComparedFile[];
}

export interface NotComparedFile {
  readonly path: string;
  /**
   * Ignored by the project; in no workspace; not checked out (sparse); of a repository inside the project; converted for git by
   * an outside program; not in this clone, or too large.
   */
  readonly why: 'ignored' | 'left-out' | 'sparse' | 'submodule' | 'filter' | 'missing';
}

/** `GET /api/runs/:run/branches`: what `diff --branches --json` prints. */
export interface BranchesPage {
  /** False: the project is in no git repository, or its folder is gone. */
  readonly isGit: boolean;
  /** The one that is checked out first, then by their newest commit; those of other repositories last. */
  readonly branches: readonly BranchLine[];
}

export interface BranchLine {
  readonly name: string;
  readonly commit: string;
  /** When its newest commit was made. */
  readonly at: number;
  readonly isCurrent?: true;
  readonly isRemote?: true;
}
