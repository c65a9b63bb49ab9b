import type { Snapshot } from './snapshot.ts';

/** The snapshot that is being made: a copy that nobody else has yet. What hangs below it is shared and never changed. */
export type Draft = { -readonly [Key in keyof Snapshot]: Snapshot[Key] };
