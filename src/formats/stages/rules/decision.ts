import type { Decision } from '../../../core/model/decision.ts';
import type { Json } from '../../../core/model/json.ts';
import type { AgentMessage, AgentRole } from './agent-message.ts';
import type { ArtifactKind } from './workflow-definition.ts';
import type { StageErrorCode, WorkflowError, WorkflowResult } from './workflow-state.ts';

/**
 * The contract of `decideStage(workflow, input): StageDecision`, which the driver of a stage workflow calls once per event. Input and
 * decision are plain JSON, so both can be journaled. The caller keeps `state` and passes it in again, unread.
 *
 * The first event is `started`. Each delivery is answered by exactly one event for its stage: `message`, `failed`, or, when
 * the decision carried a question, `answered`. Deliveries may run in parallel; `open` names the active ones. A
 * decision with `finished` is the last; open deliveries are then to be stopped, and further events change nothing.
 */
export interface DecisionInput {
  /** Null for the first event only. */
  readonly state: Json | null;
  readonly event: StageEvent;
  /** Milliseconds since 1970: the value of `timestamp()` in the workflow's functions. */
  readonly now: number;
  /** The run's id; ids of messages are made from it. */
  readonly run: string;
}

export type StageEvent =
  | { readonly kind: 'started'; readonly goal: string; readonly sessionId: string }
  /** The agent of a stage answered; `messageOf` makes the message from its reply. */
  | { readonly kind: 'message'; readonly stage: string; readonly from: AgentRole; readonly message: AgentMessage }
  | { readonly kind: 'failed'; readonly stage: string; readonly code: StageFailureCode; readonly message: string }
  /** A person answered the question of a stage. */
  | { readonly kind: 'answered'; readonly stage: string; readonly answer: string }
  /** `config.maxDuration` is over. */
  | { readonly kind: 'expired' };

/** `NO_CHANGES`: the work of the stage is to change files, and none was changed. */
export type StageFailureCode = Extract<StageErrorCode, 'TIMEOUT' | 'INVALID_OUTPUT' | 'NO_CHANGES' | 'AGENT_ERROR'>;

/** Its notes are the errors at this event, to report to the user. */
export type StageDecision = Decision<Json, StageOrders, WorkflowError>;

export interface StageOrders {
  /** The turns to begin now, in this order. More than one only with `parallelAgents`. */
  readonly deliver: readonly StageDelivery[];
  /** The stages under way after this decision, those of `deliver` included. */
  readonly open: readonly string[];
  readonly finished: Finished | null;
  /** Messages put on the bus by this event: the initial task, replies, routed messages. */
  readonly sent: readonly AgentMessage[];
  /** The agent of a stage needs a person's word; the answer comes back as `answered`. */
  readonly question?: StageQuestion;
}

/** One turn of the agent of a stage. */
export interface StageDelivery {
  readonly stage: string;
  readonly role: AgentRole;
  /** The message that started the stage. */
  readonly message: AgentMessage;
  /** Further messages for the agent: the initial task, the newest output of the stages it reads, messages that waited for it. */
  readonly inputs: readonly AgentMessage[];
  /** The first time a stage runs is 1. */
  readonly iteration: number;
  /** Tries at this iteration; the first is 1. */
  readonly attempt: number;
  readonly description: string;
  readonly outputType: AgentMessage['type'];
  readonly artifactKind?: ArtifactKind;
  /** The id of the message that the workflow began with. */
  readonly goal?: string;
  /** By the id of a message: the stage that handed it in, with its round where that is not the first. */
  readonly origins?: Readonly<Record<string, string>>;
  readonly timeoutMs: number | null;
  /** Why the agent is asked again: the errors in its last reply, or the person's answer. */
  readonly note?: string;
}

export interface StageQuestion {
  readonly stage: string;
  readonly role: AgentRole;
  readonly text: string;
  readonly choices: readonly string[];
}

export interface Finished {
  readonly outcome: 'ok' | 'partial' | 'failed';
  readonly result: WorkflowResult;
  readonly failure?: { readonly code: StageErrorCode; readonly message: string };
}
