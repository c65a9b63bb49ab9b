import type { FailureCode } from '../../../core/codes/codes.ts';
import type { ArtifactType, OwedOutput } from '../../../core/record/artifact-fact.ts';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { FailureClass } from '../../../core/model/outcome.ts';

/** The settings of a phase that the engine decides by. Only a new definition changes them. */
export interface PhasePlan {
  readonly id: string;
  /** The agent and those who take over from it, one after the other. */
  readonly players: number;
  readonly timeoutRetries: number;
  /** Describes the timeout: its length, and its place in the file. */
  readonly timeoutText: string;
  readonly isApart: boolean;
  /** The agents of the phases that it depends on. */
  readonly from: readonly string[];
  /** Facts about the outputs that the author wrote out. */
  readonly known: JsonObject;
  /** References of its templates to other phases, by their text. */
  readonly templates: Readonly<Record<string, TemplateRead>>;
  /** Null where it does not loop. */
  readonly loop: PhaseLoop | null;
}

/** A template's reference to another phase, and its place in the file. */
export interface TemplateRead {
  readonly phase: string;
  readonly output: string;
  /** The path in its content. */
  readonly below: readonly string[];
  /** File and line, of each place. */
  readonly places: string;
  /** How to write it where it may be missing; empty where it cannot be. */
  readonly lenient: string;
}

export interface PhaseLoop {
  readonly rounds: number;
  readonly condition: string;
  /** The phases that are run again after each round. */
  readonly again: readonly string[];
}

/** The values of a phase's templates. */
export interface PhaseReading {
  readonly wanted: boolean;
  /** Templates that nothing has a value for. */
  readonly missing: readonly string[];
  /** The outputs of other phases that were read: phase and name. */
  readonly used: readonly (readonly [phase: string, name: string])[];
  readonly inputs: JsonObject;
  readonly instructions: string;
  readonly context: JsonObject;
  readonly criteria: readonly PhaseCriterion[];
  readonly outputs: readonly OwedOutput[];
}

export type PhaseCriterion = string | { readonly command: string } | { readonly files: readonly string[] };

/** The result of a phase for others. */
export interface PhaseResult {
  readonly outcome: string;
  readonly output: CollectedOutputs | null;
}

export interface CollectedOutputs {
  /** By name: a path, or a list of them. */
  readonly output?: JsonObject;
  /** By name: the content of an output's file. */
  readonly content?: JsonObject;
  readonly artifacts: readonly CollectedArtifact[];
  /** Artifacts of others that this phase changed. */
  readonly others?: readonly CollectedArtifact[];
  /** Results of other phases that are newer than their own. */
  readonly rerun?: Readonly<Record<string, PhaseResult>>;
}

export interface CollectedArtifact {
  readonly id: string;
  readonly path: string;
  readonly hash: string;
  readonly type: ArtifactType;
  readonly name?: string;
  readonly form?: OwedOutput['form'];
}

export interface PhaseProblem {
  readonly code: FailureCode;
  readonly message: string;
  readonly class?: FailureClass;
  readonly hint?: string;
}

/** The progress of a phase. The states of its workflow read their input from here. */
export interface PhaseProgress {
  /** The order of the next turn. */
  readonly say: string;
  /** The tree that the phase began with. */
  readonly since: string | null;
  readonly owed: readonly Json[];
  readonly needs: readonly PhaseNeed[];
  readonly dependencies: readonly string[];
  readonly handoff: { readonly from: readonly string[]; readonly successCriteria: readonly string[] };
  /** Commands that have to succeed after a merge, too. */
  readonly checks: readonly string[];
  readonly made: CollectedOutputs | null;
  readonly rerun: Readonly<Record<string, PhaseResult>>;
  readonly player: number;
  readonly timeouts: number;
  readonly nudges: number;
  readonly settles: number;
  readonly rounds: number;
  /** It fixes a merge that was refused. */
  readonly isFixing: boolean;
  readonly isUncollected: boolean;
  readonly isUsedUp: boolean;
  readonly problem: PhaseProblem | null;
}

export interface PhaseNeed {
  readonly phase: string;
  readonly name: string;
  readonly form: OwedOutput['form'];
  readonly artifacts: readonly CollectedArtifact[];
}

/** The state in which an agent of the phase works. */
export const playerState = (player: number): string => (player === 0 ? 'work' : `fallback_${player}`);

/** The state in which one of the phases of a loop is run again. */
export const againState = (index: number): string => `again_${index + 1}`;

export const NUDGES = 2;
export const SETTLES = 2;
