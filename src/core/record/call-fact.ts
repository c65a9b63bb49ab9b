import type { Usage, CostUsd } from '../model/usage.ts';
import type { TaskId } from '../model/ids.ts';
import type { SentRequest } from './sent-request.ts';
import type { RequestSize } from './compaction-fact.ts';
import type { Message } from '../model/message.ts';
import type { FaultCode } from '../codes/codes.ts';
import type { Failure } from '../model/outcome.ts';
import type { Evidence } from './agent-fact.ts';

/** A further model call of a turn; the first one is announced by `task.started`. */
export interface CallStarted {
  readonly kind: 'call.started';
  readonly task: TaskId;
  readonly call: number;
}

export interface CallAnswered {
  readonly kind: 'call.answered';
  readonly task: TaskId;
  readonly call: number;
  readonly attempt: number;
  readonly message: Message;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  readonly model: string;
  readonly ms: number;
  /** Calls whose arguments did not fit their schema, with the mistakes. */
  readonly rejected?: Readonly<Record<string, string>>;
  /** Judgements that fit their schema but cannot be used, with the mistakes: sent back for correction, once. */
  readonly returned?: Readonly<Record<string, string>>;
  /** Signals that fit their schema but are not true, with what is missing. */
  readonly refused?: Readonly<Record<string, string>>;
  /** The evidence found when a signal was checked. */
  readonly evidence?: readonly Evidence[];
  /** The message is the summary that was asked for, or a part of it. */
  readonly summary?: SummaryPart;
  /** The request; absent if nothing left this process. */
  readonly sent?: SentRequest;
}

export interface SummaryPart {
  /** Messages that it does not cover yet, counted from the newest. */
  readonly left: number;
  /** With the last part: what the engine knows itself. */
  readonly notes?: string;
}

/** A further attempt of a call. */
export interface CallRetried {
  readonly kind: 'call.retried';
  readonly task: TaskId;
  readonly call: number;
  readonly attempt: number;
  /** The run may make no call now: it is made when the run goes on. */
  readonly isHeld?: true;
}

export interface CallFailed {
  readonly kind: 'call.failed';
  readonly task: TaskId;
  readonly call: number;
  readonly attempt: number;
  readonly failure: Failure;
  /** When the next try starts; null when there is none. */
  readonly retryAt: number | null;
  /** Its cost, although it failed. */
  readonly spent?: { readonly usage: Usage; readonly costUsd: CostUsd; readonly model?: string };
  /** The request was larger than the window: the sizes known since then. */
  readonly size?: RequestSize;
  /** The request; absent if nothing left this process. */
  readonly sent?: SentRequest;
}

export interface ToolFinished {
  readonly kind: 'tool.finished';
  readonly task: TaskId;
  readonly toolCall: string;
  readonly content: string;
  readonly isError: boolean;
  readonly ms: number;
  /** On a parsing call: taken as the answer, or sent back because it did not fit its schema. */
  readonly accepted?: boolean;
  /** The engine or a person did not let it happen; the code says why. */
  readonly refused?: FaultCode;
  /** How often it was tried, where it failed at first for a passing reason. */
  readonly tries?: number;
  /** The usage of a sub-agent. */
  readonly spent?: { readonly usage: Usage; readonly costUsd: CostUsd };
}
