import type { Snapshot } from './snapshot.ts';

/** A snapshot that is being made: a private copy. The objects below it are shared and never changed. */
export type Draft = { -readonly [Key in keyof Snapshot]: Snapshot[Key] };
