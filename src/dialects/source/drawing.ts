import type { Workflow } from '../../core/workflow.ts';

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

const drawings = new Map<string, Drawing>();

// Not by identity: between a file and a definition a workflow may be lowered anew.
const keyOf = ({ name, file }: Workflow): string => `${file ?? ''}#${name}`;

export function keepDrawing(workflow: Workflow, drawing: Drawing): void {
  drawings.set(keyOf(workflow), drawing);
}

export function drawingOf(workflow: Workflow): Drawing {
  return drawings.get(keyOf(workflow)) ?? { workflow, units: {} };
}
