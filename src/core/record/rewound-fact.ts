import type { Snapshot } from '../fold/snapshot.ts';

/** The run was put back to an earlier record. Nothing is lost: all records stay, and this one can be put back too. */
export interface RunRewound {
  readonly kind: 'run.rewound';
  readonly to: number;
  readonly by: string;
  /** Where the machine and the conversations stood then; null when only files were put back. */
  readonly state: RewoundState | null;
}

/**
 * What of a run goes back when it is put back to an earlier record. What it spent stays spent, its limits stay raised, and
 * tasks are numbered on, so that nothing new is ever taken for something that happened before.
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
  | 'tasks'
  | 'slot'
  | 'slotless'
  | 'stopping'
  | 'permits'
  | 'expected'
  | 'result'
  | 'failures'
> & {
  /** The definition it had then, where it has another one now. */
  readonly definition?: string;
};
