import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { SIGNALS, type SignalName } from '../../../core/model/signal-name.ts';
import { SIGNAL_TOOL } from '../../../core/model/signal.ts';

/** A structured reply as an agent handed it in. */
export interface HandedCall {
  readonly name: string;
  readonly arguments: Json;
}

/** A signal with its fields: all exist, empty if the signal does not have them. */
export interface SaidSignal {
  readonly name: SignalName;
  readonly summary: string;
  readonly progress: string;
  readonly continuationPoint: string;
  readonly question: string;
  readonly context: string;
  readonly targetRole: string;
  readonly reason: string;
  /** Null where it does not say. */
  readonly resume: boolean | null;
}

/** The signal among the replies of a turn. Replies without one complete the turn: a plan is handed in alone. */
export function saidSignal(calls: readonly HandedCall[], summary: string): SaidSignal {
  const says = replyBy(calls, SIGNAL_TOOL) ?? { signal: 'complete', summary };
  const given = isJsonObject(says) ? says : {};
  const text = (key: string): string => {
    const value = given[key];
    return typeof value === 'string' ? value : '';
  };
  return {
    name: SIGNALS.find((one) => one === given['signal']) ?? 'complete',
    summary: text('summary'),
    progress: text('progress'),
    continuationPoint: text('continuationPoint'),
    question: text('question'),
    context: text('context'),
    targetRole: text('targetRole'),
    reason: text('reason'),
    resume: typeof given['resume'] === 'boolean' ? given['resume'] : null,
  };
}

/** The first reply by this tool. */
export const replyBy = (calls: readonly HandedCall[], tool: string): Json | undefined =>
  calls.find(({ name }) => name === tool)?.arguments;
