import type { AgentRole, MessageType, StageVerdict } from './agent-message.ts';

/** A stage workflow as its author describes it: roles, stages, and limits. */
export interface WorkflowDefinition {
  name: string;
  description: string;
  /** Semantic version. */
  version: string;
  /** Every role that takes part; `orchestrator` may play stages without standing here. */
  agents: AgentRole[];
  stages: WorkflowStage[];
  entryStage: string;
  /** When this stage is complete and nothing was routed on from it, the workflow is complete. */
  completionStage: string;
  config: WorkflowConfig;
}

export interface WorkflowStage {
  name: string;
  agent: AgentRole;
  description: string;
  /** Stages that must be complete before this one starts; their output is given to it. */
  inputFrom?: string[];
  /** The types of message it takes; default: any. */
  inputTypes?: MessageType[];
  /** The types of output that it is given besides; they do not make it run. */
  given?: MessageType[];
  outputType: MessageType;
  /** For a stage that hands in an artifact: the one kind it takes; default: any. */
  artifactKind?: ArtifactKind;
  /** Fields of its reply that the rules of this workflow read, besides those that every reply of the type has. */
  asks?: ReplyField[];
  /** Its agent's commands reach the network where those of this role do, if the agent's own role does not say. */
  networkOf?: AgentRole;
  /** The targets of its output when `routeMessage` says nothing. */
  outputTo?: string[];
  /** It is skipped when this does not hold. */
  condition?: StageCondition;
  /** In milliseconds. */
  timeout?: number;
  /** The workflow goes on without it when it fails. */
  optional?: boolean;
  /** How often it may run. */
  maxIterations?: number;
  /** The one type of message that makes it run again. */
  iterationTrigger?: MessageType;
  /** Roles that play it, one after the other, when its agent failed. */
  fallback?: AgentRole[];
}

/** `needs`: the subject of the revision after a review. `planNeeded`: whether a plan has to follow. */
export type ReplyField = 'needs' | 'planNeeded';

export const ARTIFACT_KINDS = ['code', 'documentation'] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

export interface StageCondition {
  type: 'message_received' | 'verdict' | 'count' | 'custom';
  /** `message_received` */
  messageType?: MessageType;
  /** `message_received` */
  from?: AgentRole;
  /** `verdict` */
  verdict?: StageVerdict;
  /** `count`: a number or a list in the metadata of the message. */
  countField?: string;
  /** `count`: at least this many; default: 1. */
  threshold?: number;
  /** `custom`: a name given to `registerCondition`. */
  customCheck?: string;
}

export interface WorkflowConfig {
  /** In milliseconds. */
  maxDuration?: number;
  /** Revisions in the whole run. */
  maxRevisions?: number;
  /** Several stages may be under way at once. */
  parallelAgents?: boolean;
  failureStrategy: 'abort' | 'continue' | 'retry';
  /** In milliseconds: how long each of the workflow's functions may take; default: 10 seconds. */
  functionTimeout?: number;
}

const MINUTE_MS = 60_000;

export const defaultWorkflowConfig: WorkflowConfig = {
  maxDuration: 30 * MINUTE_MS,
  maxRevisions: 3,
  parallelAgents: false,
  failureStrategy: 'continue',
};
