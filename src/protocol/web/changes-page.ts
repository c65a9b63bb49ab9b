/** `GET /api/runs/:run/changes`: what `diff --json` prints. */
export interface ChangesPage {
  readonly workspace: string;
  readonly folder: string;
  readonly before: string;
  readonly after: string;
  readonly files: readonly FileChange[];
  readonly added: number;
  readonly removed: number;
  /** The folder holds something that no record names. */
  readonly hasMore: boolean;
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
  /** Before and after, where it is another one. */
  readonly mode?: readonly [string, string];
}
