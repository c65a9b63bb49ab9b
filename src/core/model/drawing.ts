import type { Workflow } from './workflow.ts';

/**
 * How a workflow is drawn where its author wrote something else than states: by what he wrote. No part of the workflow:
 * runs, and the hash of a definition, know nothing of it.
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
