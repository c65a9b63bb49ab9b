import type { Role } from '../../core/role.ts';
import type { Workflow } from '../../core/workflow.ts';
import type { GraphView } from './graph-view.ts';

export interface WorkflowLine {
  readonly name: string;
  readonly description: string;
  readonly origin: 'project' | 'shipped';
  readonly file: string | null;
  readonly inputs: readonly InputField[];
}

/** A field of the form that starts a run. */
export interface InputField {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly default: string | null;
  readonly choices: readonly string[];
  /** Worth more than one line. */
  readonly isLong: boolean;
}

export interface WorkflowPage extends WorkflowLine {
  readonly text: string | null;
  /** Null where the file is too broken to be drawn. */
  readonly graph: GraphView | null;
  readonly workflow: Workflow | null;
  readonly problems: readonly PlacedProblem[];
  readonly roles: readonly RolePage[];
}

export interface PlacedProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** The state it is about, where one is. */
  readonly state: string | null;
}

export interface RolePage {
  readonly name: string;
  readonly role: Role;
  /** What the agent is told. */
  readonly prompt: string;
  readonly file: string | null;
}
