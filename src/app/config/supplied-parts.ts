import type { Workflow } from '../../core/model/workflow.ts';
import type { Tool } from '../../tools/port.ts';
import type { RoleParts } from '../../source/roles/placed-role.ts';
import type { Role } from '../../core/model/role.ts';
import type { ModelConfig } from '../../actors/model/model-config.ts';
import type { Actor } from '../../actors/port.ts';

/** Parts that a program brings along when it opens Troupe itself. They add to the settings of the project. */
export interface Supplied {
  /** Answers for a role. Undefined leaves the role to the configured model or client. */
  readonly actorFor?: (role: Role, actor?: string) => SuppliedActor | Promise<SuppliedActor>;
  /** Models by level or name. */
  readonly models?: Readonly<Record<string, Omit<ModelConfig, 'name'>>>;
  readonly tools?: readonly Tool[];
  readonly roles?: RoleParts;
  readonly workflows?: readonly Workflow[];
}

type SuppliedActor = Actor | undefined;
