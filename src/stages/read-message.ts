import { STAGE_VERDICTS, type AgentMessage, type StageVerdict } from './agent-message.ts';

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
