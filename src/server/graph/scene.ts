import type { Drawing } from '../../core/model/drawing.ts';
import type { ResolvedWork } from '../../core/record/task-fact.ts';
import type { Json } from '../../core/model/json.ts';
import type { Workflow } from '../../core/model/workflow.ts';

/** One workflow to be drawn, alone or as a run of it. */
export interface Scene {
  /** Null in the picture of a file. */
  readonly run: string | null;
  /** The workflow that runs. */
  readonly workflow: Workflow;
  /** The author's version. */
  readonly drawing: Drawing;
  readonly library: Readonly<Record<string, Workflow>>;
  readonly story: SceneStory | null;
  /** The prefix of its node ids; empty for the outermost. */
  readonly prefix: string;
}

/** Facts from the journal that the definition lacks: the units of a pool, and the child runs. */
export interface SceneStory {
  /** The units of its newest visit. */
  readonly units: (state: string) => readonly StoryUnit[];
  /** The newest child run of a state, or of a unit of its pool. */
  readonly child: (state: string, unit: string | null) => ChildRun | null;
}

export interface StoryUnit {
  readonly id: string;
  readonly after: readonly string[];
  readonly item: Json;
  readonly work: ResolvedWork | null;
}

export interface ChildRun {
  readonly workflow: string;
  /** Null where it has not been started. */
  readonly task: string | null;
}

/** The unfolded parts. */
export interface Opened {
  readonly pool: (id: string) => boolean;
  readonly child: (id: string) => boolean;
}

/** Escapes names for use in ids, which have their own separators. */
export const idPart = (name: string): string =>
  name.replaceAll(/[%/,*~>]/g, (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`);

/** A workflow that a scene calls; it may call itself. */
export function calledWorkflow({ library, workflow }: Scene, name: string): Workflow | null {
  if (Object.hasOwn(library, name)) return library[name] ?? null;
  return workflow.name === name ? workflow : null;
}
