import type { Workflow } from './workflow.ts';

/**
 * How to draw a workflow whose author did not write states. Not part of the workflow: runs and the hash of a definition
 * ignore it.
 */
export interface Drawing {
  /** What is drawn in place of the workflow that runs. */
  readonly workflow: Workflow;
  /** More about the units of its pools, by their ids. */
  readonly units: Readonly<Record<string, UnitNote>>;
}

export interface UnitNote {
  /** Who does it. */
  readonly what: string;
  readonly when: string | null;
  /** What is done again after each of its rounds. */
  readonly again: readonly string[];
  readonly rounds: number | null;
}
