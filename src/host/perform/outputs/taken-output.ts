import type { FaultCode } from '../../../core/codes/codes.ts';
import type { OutputHanded, OwedOutput } from '../../../core/record/artifact-fact.ts';
import type { TaskId } from '../../../core/model/ids.ts';
import type { Workspace } from '../../../workspace/port.ts';
import type { Performance } from '../../world.ts';

/** Where something is handed in. */
export interface OutputTaking {
  readonly performance: Pick<Performance, 'world' | 'snapshot'>;
  readonly task: TaskId;
  /** All that the turn was to deliver. */
  readonly outputs: readonly OwedOutput[];
  /** Nobody but whoever hands in changes its files meanwhile. */
  readonly workspace: Workspace;
  readonly note: (fact: OutputHanded) => void;
}

/** What became of it. */
export type TakenOutput = TakenFiles | OutputRefusal;

export interface TakenFiles {
  /** What the output is now. */
  readonly paths: readonly string[];
  /** Those that were written for it. */
  readonly changed: readonly string[];
  /** A sentence for the agent. */
  readonly told: string;
}

export interface OutputRefusal {
  readonly code: FaultCode;
  /** A sentence each. */
  readonly why: readonly string[];
}
