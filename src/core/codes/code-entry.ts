/** How the engine reacts to a code. Its meaning for people: `docs/reference/codes.md`. */
export interface CodeEntry {
  /** The HTTP status of a fault; 400 by default. */
  readonly status?: ErrorStatus;
  /** The kind of exit code of a fault; `usage` by default. */
  readonly exit?: 'failed' | 'waits' | 'stopped';
  /** No agent can do anything about it: the run pauses until a person has fixed it. */
  readonly pausesRun?: true;
  /** The work did not fail: this process can no longer drive the run, which can be resumed. */
  readonly endsDriving?: true;
}

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503;
