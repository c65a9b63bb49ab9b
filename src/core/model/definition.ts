import type { Workflow, RetryPolicy } from './workflow.ts';
import type { Role, Chosen } from './role.ts';

/** All a run needs to know besides its input; stored once, by hash, so that a resumed run keeps the definition it began with. */
export interface Definition {
  readonly workflow: Workflow;
  /** The workflows that `workflow` calls, and those they call, by name. */
  readonly library: Readonly<Record<string, Workflow>>;
  readonly roles: Readonly<Record<string, Role>>;
  /** How calls are tried again, where a state does not say. */
  readonly retry?: RetryPolicy;
  /** How often a tool that failed for a passing reason is tried in all, where a workflow does not say. */
  readonly toolTries?: number;
  /** The choices made on the command line, so that they apply again when the workflow's files have changed. */
  readonly chosen?: Chosen;
}
