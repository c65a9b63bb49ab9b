import type { Usage, CostUsd } from '../model/usage.ts';
import type { TaskId } from '../model/ids.ts';
import type { CommandSettings } from '../model/workflow.ts';
import type { Patch } from './patch.ts';
import type { OwedOutput } from './artifact-fact.ts';
import type { OwedChanges } from '../step/turn/owed-changes.ts';
import type { Outcome, Failure } from '../model/outcome.ts';
import type { JsonObject, Json } from '../model/json.ts';
import type { Demand } from './agent-fact.ts';
import type { LeftTurn } from './left-turn.ts';
import type { Approves, ChoiceDetail } from './question-fact.ts';

export interface TaskStarted {
  readonly kind: 'task.started';
  readonly task: TaskId;
  readonly state: string;
  /** The pool it belongs to, and which unit of it. */
  readonly pool: TaskId | null;
  readonly unit: string | null;
  readonly work: ResolvedWork;
  readonly deadline: number | null;
}

/** A turn with every expression evaluated. */
export interface ResolvedTurn {
  readonly kind: 'turn';
  readonly agent: string;
  readonly context: string;
  readonly input: string | null;
  /** The engine's message if the turn has no input and the agent spoke last: models do not answer themselves. */
  readonly opening?: string;
  /** Who plays the agent, if that was decided now: a model, a level or a client. */
  readonly model?: string;
  readonly step?: string;
  readonly evidence?: Demand;
  readonly outputs?: readonly OwedOutput[];
  /** The structured replies that end the turn, if text alone does not. */
  readonly reply?: readonly string[];
  readonly replyWords?: readonly string[];
  readonly check?: string;
  readonly allowed?: Readonly<Record<string, readonly string[]>>;
  readonly changes?: OwedChanges;
  /** A run below takes it. */
  readonly apart?: true;
}

/** Work with every expression evaluated. */
export type ResolvedWork =
  | ResolvedTurn
  | { readonly kind: 'tell'; readonly agent: string; readonly context: string; readonly input: string }
  | { readonly kind: 'clear'; readonly agent: string; readonly context: string }
  | (CommandSettings & { readonly kind: 'command'; readonly command: string; readonly okExitCodes: readonly number[] })
  | { readonly kind: 'call'; readonly workflow: string; readonly input: JsonObject; readonly workspace?: 'own' }
  | {
      readonly kind: 'ask';
      readonly question: string;
      readonly choices: readonly string[];
      readonly choiceDetails?: readonly ChoiceDetail[];
      readonly approves?: Approves;
    }
  | { readonly kind: 'wait'; readonly until: number }
  | {
      readonly kind: 'merge';
      readonly agent: string | null;
      readonly unit?: string;
      readonly verify?: readonly string[];
      readonly checks?: readonly string[];
      readonly protect?: readonly string[];
    }
  | {
      readonly kind: 'compute';
      readonly program: string;
      readonly input: Json;
      readonly agent?: string;
      readonly writes?: true;
      readonly keeps?: string;
    }
  | { readonly kind: 'pool' };

/** A child run was ordered to stop. The task ends with this failure once the child has settled, so that its cost is counted. */
export interface TaskStopping {
  readonly kind: 'task.stopping';
  readonly task: TaskId;
  readonly failure: Failure;
}

export interface TaskEnded {
  readonly kind: 'task.ended';
  readonly task: TaskId;
  readonly outcome: Outcome;
  readonly output: Json;
  readonly failure: Failure | null;
  /** How it changed the run's data: the program's new state. */
  readonly patch?: Patch;
  /** The usage of a child run. */
  readonly usage?: Usage;
  readonly costUsd?: CostUsd;
  /** A run below took the turn. */
  readonly left?: LeftTurn;
}

/**
 * The isolate answered. `key` names the expression of the current state. A change of the data is here only if the run was
 * paused when it arrived; else it is in `data.set` or `state.entered`.
 */
export interface ScriptEvaluated {
  readonly kind: 'script.evaluated';
  readonly key: string;
  readonly result: ScriptResult;
}

export type ScriptResult =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'patch'; readonly patch: Patch }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface UnitsAdded {
  readonly kind: 'units.added';
  readonly task: TaskId;
  /** The unit that added them; null for those the pool started with or that were added from outside. */
  readonly by: string | null;
  readonly units: readonly NewUnit[];
}

export interface NewUnit {
  readonly id: string;
  readonly after: readonly string[];
  readonly item: Json;
  /** The unit of which this one does a part: units that wait for that one wait for this one too. */
  readonly partOf?: string;
}

/** A unit that ended without ever having a task: skipped or cancelled while it waited. */
export interface UnitEnded {
  readonly kind: 'unit.ended';
  readonly task: TaskId;
  readonly unit: string;
  readonly outcome: Outcome;
  readonly reason: string;
}

/** The run is being ended from outside; it settles like this once no work is in progress. */
export interface RunStopping {
  readonly kind: 'run.stopping';
  readonly outcome: Outcome;
  readonly failure: Failure;
}
