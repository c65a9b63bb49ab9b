import type { Workflow } from './workflow.ts';

/**
 * How to draw a workflow whose author did not write states. Not part of the workflow: runs and the hash of a definition
 * ignore it.
 */
export interface Drawing {
  /** The workflow to draw in place of the one that runs. */
  readonly workflow: Workflow;
  /** More about the units of its pools, by their ids. */
  readonly units: Readonly<Record<string, UnitNote>>;
}

export interface UnitNote {
  /** Who does it. */
  readonly what: string;
  readonly when: string | null;
  /** The units that are repeated after each of its rounds. */
  readonly again: readonly string[];
  readonly rounds: number | null;
}
