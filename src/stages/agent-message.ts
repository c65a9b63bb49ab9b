/** What agents of a stage workflow say to each other. */
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

/** Who answers the questions of agents. */
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
