/** `GET /api/runs/:run/tree`: a run and all below it, parents before their children, the oldest first. */
export interface TreePage {
  readonly runs: readonly TreeRun[];
}

export interface TreeRun {
  readonly run: string;
  readonly parent: string | null;
  readonly workflow: string;
  readonly seq: number;
  readonly status: 'running' | 'waiting' | 'paused' | 'settled';
}
