import { randomUUID } from 'node:crypto';
import type { AgentMessage, AgentRole } from './agent-message.ts';
import { currentAmbient } from './ambient.ts';

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

/** Unique. In a run it counts up from the run's id, so that it is the same whenever the run is told again. */
export function generateMessageId(): string {
  return currentAmbient()?.nextId() ?? `msg-${randomUUID()}`;
}

/** ISO 8601. In a run it is the time of the event that is decided on. */
export function timestamp(): string {
  return new Date(currentAmbient()?.nowMs ?? Date.now()).toISOString();
}

/** The session of the run that is under way; empty outside a run. */
export function currentSessionId(): string {
  return currentAmbient()?.sessionId ?? '';
}
