import type { Workflow } from '../../core/workflow.ts';

declare const TYPES: unique symbol;

/** A workflow with the types of its input and its output. The types exist for the compiler alone. */
export interface TypedWorkflow<Input, Output> extends Workflow {
  readonly [TYPES]?: (input: Input) => Output;
}
