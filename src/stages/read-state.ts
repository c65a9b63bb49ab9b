import type { AgentMessage, MessageType, StageVerdict } from './agent-message.ts';
import { metadataOf, verdictOf } from './read-message.ts';
import type { StageWorkflowState } from './workflow-state.ts';

/** What stages handed in, oldest first; of one type where it is given. */
export function outputsOf(state: StageWorkflowState, type?: MessageType): readonly StageOutput[] {
  return state.stageHistory
    .flatMap(({ stageName, outputMessageIds }) =>
      outputMessageIds.flatMap((id) => {
        const message = state.messages?.find((one) => one.id === id);
        return message === undefined ? [] : [{ stage: stageName, message }];
      }),
    )
    .filter(({ message }) => type === undefined || message.type === type);
}

export interface StageOutput {
  readonly stage: string;
  readonly message: AgentMessage;
}

/** The verdict that counts for the given stages: the newest. */
export function lastVerdict(state: StageWorkflowState, stages: readonly string[]): StageVerdict | undefined {
  return verdictOf(outputsOf(state, 'review').findLast(({ stage }) => stages.includes(stage))?.message);
}

/** All findings, each with claim, confidence and sources. */
export function stageFindings(state: StageWorkflowState): unknown[] {
  return outputsOf(state, 'finding').flatMap(({ message }): unknown[] => {
    const findings = metadataOf(message, 'findings');
    if (Array.isArray(findings)) return findings;
    const claim = metadataOf(message, 'claim') ?? message.content.body;
    return [{ claim, confidence: metadataOf(message, 'confidence'), sources: metadataOf(message, 'sources') ?? [] }];
  });
}

export function reviewsOf(state: StageWorkflowState): unknown[] {
  return outputsOf(state, 'review').map(({ stage, message }) => ({
    stage,
    verdict: metadataOf(message, 'verdict'),
    summary: metadataOf(message, 'summary') ?? message.content.body,
    issues: metadataOf(message, 'issues') ?? [],
  }));
}

/** The files that artifacts name, each once. */
export function stageFiles(state: StageWorkflowState): string[] {
  const files = outputsOf(state, 'artifact').flatMap(({ message }): unknown[] => {
    const named = metadataOf(message, 'files');
    return Array.isArray(named) ? named : [];
  });
  return [...new Set(files.filter((file) => typeof file === 'string'))];
}

/** What outputs left behind: the files they name, else the id of the message itself. */
export function leftBy(outputs: readonly StageOutput[]): string[] {
  const left = outputs.flatMap(({ message }): string[] => {
    const named = metadataOf(message, 'files');
    const files = Array.isArray(named) ? named.filter((file) => typeof file === 'string') : [];
    return files.length === 0 ? [message.id] : files;
  });
  return [...new Set(left)];
}

/** The summary an agent gave with an output, else what it wrote. */
export function stageSummary(message: AgentMessage | undefined): string {
  const summary = metadataOf(message, 'summary');
  return typeof summary === 'string' && summary !== '' ? summary : (message?.content.body ?? '');
}
