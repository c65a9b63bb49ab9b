import type { SharedLimit } from '../record/limit-fact.ts';
import type { IsolateSource } from './expression.ts';
import type { TaskId } from './ids.ts';
import type { Json, JsonObject } from './json.ts';
import type { ToolCall } from './message.ts';
import type { CommandSettings } from './workflow.ts';

/** Orders to the host, as data. Every effect that is still open can be computed again from the snapshot. */
export type Effect =
  | ActorCall
  | ToolRun
  | ScriptRun
  | CommandRun
  | ComputeRun
  | {
      readonly kind: 'child.start';
      readonly task: TaskId;
      readonly workflow: string;
      readonly input: JsonObject;
      readonly workspace?: 'own';
      /** It is a turn of this run: see `ApartTurn`. */
      readonly apart?: true;
    }
  | {
      readonly kind: 'merge.run';
      readonly task: TaskId;
      readonly agent: string | null;
      readonly unit?: string;
      readonly verify?: readonly string[];
      readonly checks?: readonly string[];
      readonly protect?: readonly string[];
    }
  /** Puts every workspace of the run back to what the project was before it. */
  | { readonly kind: 'rollback.run' }
  /** Brings the result to the user, as the newest `delivery.started` says. */
  | { readonly kind: 'delivery.run' }
  | { readonly kind: 'timer.set'; readonly timer: string; readonly at: number }
  | { readonly kind: 'timer.clear'; readonly timer: string }
  /** A child run that rested has its slot again and may go on. */
  | { readonly kind: 'child.go'; readonly task: TaskId }
  /** A child run may spend more. `task`: its name within this run. */
  | { readonly kind: 'child.share'; readonly task: TaskId; readonly limit: SharedLimit }
  /** Looks at the files that an approval is asked for. */
  | { readonly kind: 'question.look'; readonly task: TaskId; readonly question: string }
  /** Answers a client that asked whether it may use a tool. */
  | { readonly kind: 'permission.tell'; readonly task: TaskId; readonly toolCall: string; readonly isAllowed: boolean }
  /** Stops the work of this task that is in progress. */
  | { readonly kind: 'task.stop'; readonly task: TaskId };

export interface CommandRun extends CommandSettings {
  readonly kind: 'command.run';
  readonly task: TaskId;
  readonly command: string;
  readonly okExitCodes: readonly number[];
}

export interface ComputeRun {
  readonly kind: 'compute.run';
  readonly task: TaskId;
  readonly program: string;
  readonly input: Json;
  readonly agent?: string;
  readonly keeps?: string;
}

export interface ActorCall {
  readonly kind: 'actor.call';
  readonly task: TaskId;
  readonly agent: string;
  readonly call: number;
  readonly attempt: number;
}

export interface ToolRun {
  readonly kind: 'tool.run';
  readonly task: TaskId;
  readonly agent: string;
  readonly toolCall: ToolCall;
}

export interface ScriptRun {
  readonly kind: 'script.run';
  readonly key: string;
  readonly script: IsolateSource;
  /** `value`: the value of the expression. `patch`: the change that the script made to the run's data. */
  readonly wants: 'value' | 'patch';
  readonly locals: JsonObject;
}
