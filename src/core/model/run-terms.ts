/**
 * Decides how a run behaves, whichever process drives it (R1). Its models, agents, slots, networks and protected files are
 * in its definition; its limits are stored separately.
 */
export interface RunTerms {
  /** How its files are delivered; absent if nothing is delivered automatically. */
  readonly delivery?: DeliveryOrder;
  /** The sandbox that the user asked for. The level in use is `sandbox` of `run.started`. */
  readonly sandbox?: string;
  /** False: new workspaces do not run the project's setup command. */
  readonly setup?: false;
  /** What its worker has to offer besides the labels of its workflow. */
  readonly labels?: readonly string[];
  /** The schedule that began it; absent where a person or a program did. */
  readonly schedule?: FiredSchedule;
}

/** A schedule at one of its times. */
export interface FiredSchedule {
  readonly name: string;
  readonly at: number;
}

export interface DeliveryOrder {
  readonly to: DeliveryTarget;
  /** A command that must succeed on the merged files first. */
  readonly verify?: string;
  /** A partial outcome is delivered as well. */
  readonly allowsPartial?: true;
  /** Files that steer the user's programs are applied as well. */
  readonly allowsSteering?: true;
  /** A folder to which the changed files are copied as well; absolute. */
  readonly copyTo?: string;
  /** Who asked for it. */
  readonly by: string;
}

export type DeliveryTarget =
  /** In git a branch with the run's name, elsewhere a patch beside the run's files. */
  | { readonly kind: 'own' }
  | { readonly kind: 'branch'; readonly name: string }
  | { readonly kind: 'patch'; readonly file: string }
  /** Into the files of the project. */
  | { readonly kind: 'apply' };

/** The newer terms count, one by one. */
export const mergeTerms = (before: RunTerms, now: RunTerms): RunTerms => ({ ...before, ...now });
