import type { StandardSchema } from '../core/model/standard-schema.ts';
import type { Workflow } from '../core/model/workflow.ts';

/**
 * How a workflow made by `defineWorkflow` is known among the exports of a module. The mark is a registered symbol, so it
 * is the same for two copies of Troupe, and it is hidden, so the workflow stays plain JSON.
 */
const MARK = Symbol.for('troupe.workflow');

/** Checks what JSON Schema cannot express, such as refinements, in the process that has the schemas. */
const SCHEMAS = Symbol.for('troupe.schemas');

export interface WorkflowSchemas {
  readonly input?: StandardSchema;
  readonly output?: StandardSchema;
}

/** `called` are the workflows it calls by value; they are included wherever it is found. */
export function markWorkflow(workflow: Workflow, called: readonly Workflow[], schemas: WorkflowSchemas = {}): Workflow {
  return Object.defineProperties({ ...workflow }, { [MARK]: { value: called }, [SCHEMAS]: { value: schemas } });
}

/** The schemas that a workflow was defined with; none for one that was read from a file. */
export const schemasOf = (workflow: Workflow): WorkflowSchemas =>
  (workflow as { readonly [SCHEMAS]?: WorkflowSchemas })[SCHEMAS] ?? {};

function isMarked(value: unknown): value is Workflow & { readonly [MARK]: readonly Workflow[] } {
  return typeof value === 'object' && value !== null && MARK in value;
}

/** The workflows a module exports, by name, as the default, or in a list, with those they call; the default first, each once. */
export function workflowsOfModule(module: unknown): readonly Workflow[] {
  if (typeof module !== 'object' || module === null) return [];
  const { default: first, ...named } = module as Readonly<Record<string, unknown>>;
  const found = new Set([first, ...Object.values(named)].flat().filter(isMarked));
  // A set that grows while it is walked: what is called is found too, once.
  for (const workflow of found) for (const called of workflow[MARK].filter(isMarked)) found.add(called);
  return [...found];
}
