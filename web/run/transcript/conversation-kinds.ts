const KINDS = new Set([
  'call.answered',
  'tool.finished',
  'message.added',
  'turn.nudged',
  'question.answered',
  'activity.noted',
  'call.failed',
]);

/** Whether a record of this kind is shown where conversations are; else it is among the events. */
export const isConversation = (kind: string): boolean => KINDS.has(kind);
