import type { TaskId, TreeId } from '../model/ids.ts';
import type { Json, JsonObject } from '../model/json.ts';

/** What agents produced and sent to each other besides their conversations (PH4, PH5). Noted: true whether or not the work counts. */
export type ArtifactFact = ArtifactRecorded | OutputHanded | HandoffMade | BusSent | ProgressNoted;

export const ARTIFACT_TYPES = ['plan', 'code', 'report', 'data'] as const;

export type ArtifactType = (typeof ARTIFACT_TYPES)[number];

/** The engine saw this file, with this content, as the product of a phase or a stage. */
export interface ArtifactRecorded {
  readonly kind: 'artifact.recorded';
  readonly task: TaskId;
  readonly artifact: Artifact;
}

export interface Artifact {
  /** Unique over the whole tree of runs: the run, the output and the path. */
  readonly id: string;
  readonly type: ArtifactType;
  /** The output it was declared as. */
  readonly name: string;
  /** The agent that made it. */
  readonly producer: string;
  /** The phase or the stage. */
  readonly phase: string;
  /** As people read it, relative to the project. */
  readonly path: string;
  /** SHA-256 of the content, in hex. */
  readonly hash: string;
  readonly bytes: number;
  readonly metadata: JsonObject;
  /** The ids of the artifacts it was made from. */
  readonly dependencies: readonly string[];
}

/** A declared output was submitted with `submit_output`, accepted, and written by the engine. */
export interface OutputHanded {
  readonly kind: 'output.handed';
  readonly task: TaskId;
  readonly name: string;
  /** The files that were written for it, or named by it. */
  readonly paths: readonly string[];
}

/** One agent's work goes to the next. */
export interface HandoffMade {
  readonly kind: 'handoff.made';
  readonly task: TaskId;
  readonly handoff: Handoff;
}

export interface Handoff {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Paths; `ids` are those of the artifacts, in the same order. */
  readonly artifacts: readonly string[];
  readonly ids: readonly string[];
  readonly context: JsonObject;
  readonly instructions: string;
  readonly successCriteria: readonly string[];
  readonly correlationId: string;
}

/** A message on the bus: between the engine and an agent, or between agents of a stage workflow. */
export interface BusSent {
  readonly kind: 'bus.sent';
  readonly task: TaskId | null;
  readonly message: BusMessage;
}

export interface BusMessage {
  readonly id: string;
  /** `command`, `status`, `result`, `error`; in stage workflows also `task`, `finding`, `artifact`, `review`, `design`, `question`. */
  readonly type: string;
  readonly sender: string;
  readonly receiver: string;
  readonly payload: Json;
  readonly correlationId: string;
}

/** The progress that an agent reported with the tool `report_progress`. */
export interface ProgressNoted {
  readonly kind: 'progress.noted';
  readonly task: TaskId;
  readonly agent: string;
  /** From 0 to 1. */
  readonly progress: number;
  readonly message: string;
}

/** What a turn must deliver. `file`: one path. `files`: a pattern. `changed`: the changed files, or those declared among them. */
export interface OwedOutput {
  readonly name: string;
  readonly form: 'file' | 'files' | 'changed';
  readonly path: string | null;
  readonly type: ArtifactType;
  /** The tree that changes are counted from, where it is known. */
  readonly since?: TreeId;
}
