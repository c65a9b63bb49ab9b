import type { ToolCall, Message } from '../model/message.ts';
import type { Minion, AcceptedReply } from '../record/agent-fact.ts';
import type { CompactionStarted } from '../record/compaction-fact.ts';
import type { AppendList } from '../model/append-list.ts';

/** A turn in progress: `calling` the model ⇄ running `tools`, until the agent has answered. */
export interface TurnProgress {
  /** `calling`: a call is open; `waiting`: a retry is due at `retryAt`; `tools`: tool results are owed; `ready`: the next call may start. */
  readonly phase: 'calling' | 'waiting' | 'tools' | 'ready';
  readonly call: number;
  readonly attempt: number;
  readonly retryAt: number | null;
  /** How many of the attempts ended at a quota. */
  readonly quotaWaits?: number;
  /** How many of them ended because the request was made smaller to fit the window. */
  readonly reliefs?: number;
  /** How often it claimed to be done and was not. */
  readonly doubts?: number;
  /** How often it answered without a changed file, where it has to change files. */
  readonly unchanged?: number;
  /** Why it says that no change is needed. */
  readonly noChange?: string;
  readonly openTools: readonly ToolCall[];
  /** Those of them that wait for a person's permission. */
  readonly asking: readonly string[];
  /** A structured reply was already sent back once. */
  readonly corrected: boolean;
  /** The judgement that was sent back for correction. It counts if nothing better follows. */
  readonly returned?: ToolCall;
  /** Parsing calls that were taken as the answer. */
  readonly accepted: readonly ToolCall[];
  /** Messages of this turn; they join the context in one piece when the turn ends. */
  readonly messages: AppendList<Message>;
  /** How much of the context this turn sees. */
  readonly sees: number;
  /** What it sees in place of the context, if the agent's conversation was compacted. */
  readonly base?: AppendList<Message>;
  /** How much of the agent's own view of the context it sees, if it began with that. */
  readonly seesOfView?: number;
  /** The call under way asks for a summary. */
  readonly summary?: Summarising;
  /** Calls that were compacted away. */
  readonly past?: readonly PastCall[];
  readonly compactions?: number;
  /** Model calls that made summaries; they do not count as rounds of tools. */
  readonly summaryCalls?: number;
  /** Compacted, and not answered since. */
  readonly isFresh?: true;
  /** The endpoint's last count: the request, the request and its reply, and how many messages the turn had then. */
  readonly reported?: { readonly input: number; readonly tokens: number; readonly messages: number };
  /** Requests of a client in this turn: null while a person has not decided. */
  readonly asked?: readonly AskedByClient[];
  /** The structured reply that the turn owes was asked for again. */
  readonly isNudged?: true;
  /** Messages of a person or the engine to the agent since its call began; the next call sends them. */
  readonly told?: readonly Message[];
  /** The client's conversation that it continues. */
  readonly session?: string;
  /** The reply of its client that was accepted in the current call. */
  readonly desk?: AcceptedReply;
  /** The client's own sub-agents, by id. */
  readonly minions?: Readonly<Record<string, Minion>>;
}

export interface AskedByClient {
  readonly call: ToolCall;
  readonly isAllowed: boolean | null;
  /** The mark of the files it was decided for. */
  readonly mark?: string;
}

/** A summary that is being made, part by part where the conversation does not fit into one request. */
export interface Summarising {
  readonly reason: CompactionStarted['reason'];
  /** Tokens of the request that would not fit. */
  readonly before: number;
  /** The part of it that stays. */
  readonly fixed: number;
  /** The summary so far. */
  readonly text: string;
  /** Messages that it does not cover yet, counted from the newest; null before the first part. */
  readonly left: number | null;
  /** How often a part was too large for the endpoint: each time the next one is half as large. */
  readonly halvings: number;
  /** Seen by the engine, for the agent. */
  readonly notes?: string;
}

/** A call that was compacted away: its id stays in use, and repeating it is no progress. */
export interface PastCall {
  readonly id: string;
  readonly sign: number;
}
