import type { Snapshot, Task, Unit } from '../fold/snapshot.ts';

/** The run was rolled back to an earlier record. All records stay, and this one can be rolled back too. */
export interface RunRewound {
  readonly kind: 'run.rewound';
  readonly to: number;
  readonly by: string;
  /** The machine and the conversations at that record; null when only files were rolled back. */
  readonly state: RewoundState | null;
}

/**
 * The part of a run that a rollback restores. Costs and raised limits stay, and task numbers continue, so that new tasks are
 * never mistaken for earlier ones.
 */
export type RewoundState = Pick<
  Snapshot,
  | 'status'
  | 'input'
  | 'data'
  | 'current'
  | 'last'
  | 'visits'
  | 'path'
  | 'contexts'
  | 'agents'
  | 'lastAgent'
  | 'sessions'
  | 'childResult'
  | 'slot'
  | 'slotless'
  | 'stopping'
  | 'permits'
  | 'expected'
  | 'result'
  | 'failures'
> & {
  readonly tasks: Readonly<Record<string, RewoundTask>>;
  /** The definition it had then, where it has another one now. */
  readonly definition?: string;
};

/** Units as one list: how a snapshot keeps them is no matter of the journal. */
export type RewoundTask = Omit<Task, 'units'> & { readonly units: readonly Unit[] | null };
