/** Work that may take a while and that no record tells of until it is over: a project is read, a workspace made or set up. */
export interface Progress {
  /** The same at the start and at the end. */
  readonly id: number;
  readonly what: 'project' | 'workspace' | 'setup';
  /** Null while there is no run yet. */
  readonly run: string | null;
  readonly workspace: string | null;
  readonly state: 'started' | 'ended' | 'failed';
  /** On setup. */
  readonly command?: string;
  /** When it is over: how long it took, and how many files there were. */
  readonly ms?: number;
  readonly files?: number;
}
