import type { Json, JsonObject } from '../../core/json.ts';
import type { StageModule } from '../../dialects/stages/stage-plan.ts';

/** What the state `route` gives its program: what was decided before, and what has come of it since. */
export interface RouteInput {
  readonly module: StageModule | null;
  /** By role: who steps in where a stage names nobody. */
  readonly fallback: Readonly<Record<string, readonly string[]>>;
  readonly goal: string;
  /** Null at the beginning. */
  readonly step: StageStep | null;
  /** What became of the items of the step, those that ran together by their ids. */
  readonly heard: readonly HeardUnit[];
}

export interface HeardUnit {
  readonly id?: string;
  readonly outcome: string;
  readonly output: Json;
  readonly reason: string | null;
}

/** What the program answers: where the run goes next, with all that is needed there. */
export interface StageStep {
  /** A state of the lowered workflow. */
  readonly go: string;
  readonly items: readonly StageItem[];
  /** What is left of `maxDuration`; null without one. */
  readonly leftMs: number | null;
  readonly book: StageBook;
  /** Of the end: the workflow's result, and why it is not a good one. */
  readonly result?: Json;
  readonly failure?: JsonObject | null;
}

/** A turn of a stage, or a question to the person. */
export interface StageItem {
  readonly id: string;
  /** The state that it is done in, when it is done alone. */
  readonly place: string;
  readonly stage: string;
  readonly role: string;
  readonly iteration: number;
  readonly outputType: string;
  readonly isQuestion: boolean;
  readonly say: string;
}

/** What only the program reads. */
export interface StageBook {
  readonly state: Json;
}
