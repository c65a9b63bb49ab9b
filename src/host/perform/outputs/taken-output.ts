import type { FaultCode } from '../../../core/codes/codes.ts';
import type { OutputHanded, OwedOutput } from '../../../core/record/artifact-fact.ts';
import type { TaskId } from '../../../core/model/ids.ts';
import type { Workspace } from '../../../workspace/port.ts';
import type { EffectContext } from '../../world.ts';

/** Where an output is submitted. */
export interface OutputTaking {
  readonly context: Pick<EffectContext, 'world' | 'snapshot'>;
  readonly task: TaskId;
  /** All outputs that the turn owes. */
  readonly outputs: readonly OwedOutput[];
  /** Reserved for the agent that submits, so that its files do not change meanwhile. */
  readonly workspace: Workspace;
  readonly note: (fact: OutputHanded) => void;
}

/** The result of a submission. */
export type TakenOutput = TakenFiles | OutputRefusal;

export interface TakenFiles {
  /** The paths of the output now. */
  readonly paths: readonly string[];
  /** Those written for it. */
  readonly changed: readonly string[];
  /** A sentence for the agent. */
  readonly summary: string;
}

export interface OutputRefusal {
  readonly code: FaultCode;
  /** A sentence each. */
  readonly why: readonly string[];
}
