import type { ArtifactType } from '../../core/artifact-fact.ts';
import type { JsonObject } from '../../core/json.ts';

/** A version of an artifact as `artifacts --json` prints it: the fields of the document first, with its names (PH4). */
export interface ArtifactView {
  /** Unique over the whole tree of runs. */
  readonly id: string;
  readonly type: ArtifactType;
  readonly producer: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly path: string;
  readonly metadata: JsonObject;
  /** The ids of the artifacts it was made from. */
  readonly dependencies: readonly string[];
  /** The output it was declared as. */
  readonly name: string;
  readonly phase: string;
  /** SHA-256, in hex. */
  readonly hash: string;
  readonly bytes: number;
  /** Which content of this path it is, from 1. */
  readonly version: number;
  /** The run whose record tells of it, that record, and its task. */
  readonly run: string;
  readonly record: number;
  readonly task: string;
  /** The run was put back to before it. Its content can still be had. */
  readonly undone?: true;
  /** How its file is in the newest tree of its workspace, where somebody has looked. */
  readonly now?: ArtifactNow;
}

/** `replaced`: a later artifact has its path; `unknown`: its files are not kept any more. */
export type ArtifactNow = 'same' | 'changed' | 'replaced' | 'gone' | 'unknown';
