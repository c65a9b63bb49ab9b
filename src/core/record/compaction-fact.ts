import type { TaskId } from '../model/ids.ts';

/** How a turn is kept within its model's window (A6). Part of the closed list of facts. */
export type CompactionFact = ResultsCleared | CompactionStarted | TurnCompacted;

/** The size of a request and the window it must fit, in tokens as estimated before it is sent. */
export interface RequestSize {
  /** The name the model is configured by. */
  readonly model: string;
  /** All that the model takes, reply included. */
  readonly window: number;
  /** The part of it that a request may fill. */
  readonly usable: number;
  readonly tokens: number;
  /** Tokens for every three bytes, as `tokens` was estimated. */
  readonly density: number;
  /** The part that cannot shrink: the role's instructions, the tools, the orders. */
  readonly fixed: number;
  /** Old tool results may be replaced in the history. */
  readonly mayEdit: boolean;
}

/** Old tool results were replaced by a line each; the call under way is made with what is left. */
export interface ResultsCleared {
  readonly kind: 'results.cleared';
  readonly task: TaskId;
  readonly call: number;
  readonly attempt: number;
  readonly toolCalls: readonly string[];
  readonly before: number;
  readonly after: number;
  readonly isHeld?: true;
}

/** The call under way becomes a request for a summary, because the conversation would not fit. */
export interface CompactionStarted {
  readonly kind: 'compaction.started';
  readonly task: TaskId;
  readonly call: number;
  readonly attempt: number;
  /** `near`: seen before it was sent; `overflow`: the endpoint refused it. */
  readonly reason: 'near' | 'overflow';
  readonly size: RequestSize;
  /** The run may make no call now: this one is made as a further attempt when the run goes on. */
  readonly isHeld?: true;
}

/** The turn goes on with its orders and a summary in place of the conversation. */
export interface TurnCompacted {
  readonly kind: 'turn.compacted';
  readonly task: TaskId;
  /** Messages that the summary stands for. */
  readonly messages: number;
  /** Tokens before, and about how many after. */
  readonly before: number;
  readonly after: number;
  /** The text that the agent reads in their place. */
  readonly text: string;
}
