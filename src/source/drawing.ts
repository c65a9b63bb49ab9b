import type { Drawing } from '../core/model/drawing.ts';
import type { Workflow } from '../core/model/workflow.ts';

const drawings = new Map<string, Drawing>();

// Not by identity: between a file and a definition a workflow may be lowered again.
const keyOf = ({ name, file }: Workflow): string => `${file ?? ''}#${name}`;

export function keepDrawing(workflow: Workflow, drawing: Drawing): void {
  drawings.set(keyOf(workflow), drawing);
}

export function drawingOf(workflow: Workflow): Drawing {
  return drawings.get(keyOf(workflow)) ?? { workflow, units: {} };
}
