import type { Position } from '../../core/fault.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Cast } from '../../core/workflow.ts';
import type { DeclaredOutput } from './owed-outputs.ts';
import type { PhaseSpec } from './phase-list.ts';

/** What one phase becomes: a workflow of its own, run as a unit of the phases' pool. */
export interface PhaseLowering {
  readonly spec: PhaseSpec;
  readonly workflow: string;
  readonly file: string;
  readonly at: Position | undefined;
  readonly script: string;
  readonly owed: readonly DeclaredOutput[];
  readonly known: JsonObject;
  /** The agents of the phases it depends on. */
  readonly from: readonly string[];
  /** It has files of its own, which are brought home when it is done. */
  readonly isApart: boolean;
  readonly timeoutRetries: number;
  readonly toolTries?: number | undefined;
  /** The role by which an agent type works in this phase. */
  readonly roleOf: (type: string) => string;
  readonly casts: Readonly<Record<string, Cast>>;
  /** Phases that are run again after each round, while the condition still holds. */
  readonly loop: { readonly phases: readonly LoopPhase[]; readonly rounds: number } | null;
}

export interface LoopPhase {
  readonly id: string;
  readonly workflow: string;
  readonly isApart: boolean;
}
