// The imports for workflows in TypeScript, of every family that supports them.
export { defineWorkflow } from '../native/define-workflow.ts';
export type { FlowScope, NoKeys, StateSpec, TypedWorkflow, WorkflowSpec } from '../native/workflow-spec.ts';
export { defineReview } from '../review/parse/define-review.ts';
export type { ReviewSpec } from '../review/parse/define-review.ts';
