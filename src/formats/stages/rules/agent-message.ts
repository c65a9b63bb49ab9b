import { currentAmbient } from './ambient.ts';

/** A message between agents of a stage workflow. */
export interface AgentMessage {
  id: string;
  /** ISO 8601. */
  timestamp: string;
  from: AgentRole;
  to: AgentRole;
  type: MessageType;
  /** Decides which of several waiting messages is delivered first. */
  priority: MessagePriority;
  content: MessageContent;
}

export interface MessageContent {
  subject: string;
  body: string;
  metadata?: Record<string, unknown>;
}

/** The roles that ship with Troupe, and any other that the workflow names. */
export type AgentRole = 'researcher' | 'developer' | 'reviewer' | 'architect' | 'orchestrator' | (string & {});

/** Answers the questions of agents. */
export const PERSON = 'person';

export const MESSAGE_TYPES = [
  'task',
  'finding',
  'artifact',
  'review',
  'design',
  'status',
  'question',
  'result',
] as const;

/** `task`: an assignment. `status`: complete or blocked. `question`: a clarification is needed. `result`: the last word. */
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** From the most urgent to the least. */
export const MESSAGE_PRIORITIES = ['critical', 'high', 'normal', 'low'] as const;

export type MessagePriority = (typeof MESSAGE_PRIORITIES)[number];

export const STAGE_VERDICTS = ['APPROVED', 'NEEDS_REVISION', 'REJECTED'] as const;

export type StageVerdict = (typeof STAGE_VERDICTS)[number];

export type TaskStatus = 'pending' | 'in_progress' | 'awaiting_review' | 'revision' | 'complete';

/** One field of a message's metadata. */
export function metadataOf(message: AgentMessage | undefined, field: string): unknown {
  const metadata = message?.content?.metadata;
  return metadata !== undefined && Object.hasOwn(metadata, field) ? metadata[field] : undefined;
}

/** The verdict of a review, if it is one of the three. */
export function verdictOf(message: AgentMessage | undefined): StageVerdict | undefined {
  return STAGE_VERDICTS.find((verdict) => verdict === metadataOf(message, 'verdict'));
}

/** An agent says that it is done. It is a claim: the workflow's `isComplete` decides. */
export function detectCompletion(message: AgentMessage): boolean {
  return message.type === 'status' && metadataOf(message, 'status') === 'complete';
}

/** A task from the orchestrator. */
// The four parameters are the document's.
// oxlint-disable-next-line eslint/max-params
export function createTaskMessage(
  to: AgentRole,
  subject: string,
  body: string,
  metadata?: Record<string, unknown>,
): AgentMessage {
  return {
    id: generateMessageId(),
    timestamp: timestamp(),
    from: 'orchestrator',
    to,
    type: 'task',
    priority: 'normal',
    content: { subject, body, metadata: { ...metadata } },
  };
}

/** Unique. In a run it counts up from the run's id, so that it is the same on replay. */
export function generateMessageId(): string {
  return currentAmbient()?.nextId() ?? `msg-${crypto.randomUUID()}`;
}

/** ISO 8601. In a run it is the time of the event that is decided on. */
export function timestamp(): string {
  return new Date(currentAmbient()?.nowMs ?? Date.now()).toISOString();
}

/** The session of the run that is under way; empty outside a run. */
export function currentSessionId(): string {
  return currentAmbient()?.sessionId ?? '';
}
