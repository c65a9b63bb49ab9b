import type { AgentMessage } from './agent-message.ts';
import { getStageDefinition } from './find-stage.ts';
import { callFunction, type Cause, type StageProgress } from './progress.ts';
import type { WorkflowStage } from './workflow-definition.ts';

/**
 * The stages of the addressed role that a message begins: those the sender's `outputTo` names, else those that it triggers
 * again, else those that read the sender, else the one that the workflow names as next.
 */
export function stagesMeant(progress: StageProgress, message: AgentMessage, from: string): readonly string[] {
  if (isForEngine(message)) return [];
  const { definition } = progress.workflow;
  const ofRole = definition.stages.filter((stage) => stage.agent === message.to);
  const named = (fits: (stage: WorkflowStage) => boolean): string[] => ofRole.filter(fits).map(({ name }) => name);
  const groups = [
    declaredTargets(progress, message, from),
    named((stage) => triggersAgain(progress, stage, message)),
    named(({ inputFrom }) => inputFrom?.includes(from) === true),
  ];
  const meant = groups.find((group) => group.length > 0);
  if (meant !== undefined) return meant;
  const next = callFunction(progress, 'getNextStage', (workflow) => workflow.getNextStage(progress.state));
  return ofRole.some(({ name }) => name === next) && next !== null ? [next] : [];
}

/** The orchestrator's inbox is the engine itself: it checks completion and passes questions to the person. */
function isForEngine({ to, type }: AgentMessage): boolean {
  return to === 'orchestrator' && (type === 'status' || type === 'question');
}

export function declaredTargets({ workflow }: StageProgress, message: AgentMessage, from: string): string[] {
  const targets = getStageDefinition(workflow.definition, from)?.outputTo ?? [];
  return targets.filter((name) => getStageDefinition(workflow.definition, name)?.agent === message.to);
}

/** A message of its trigger's type makes a stage run again. */
export function triggersAgain(progress: StageProgress, stage: WorkflowStage, message: AgentMessage): boolean {
  return stage.iterationTrigger === message.type && hasRun(progress, stage);
}

/** Why a stage that has run does not run again for this message. */
export function wrongTrigger(progress: StageProgress, stage: WorkflowStage, message: AgentMessage): Cause | undefined {
  const { iterationTrigger } = stage;
  if (!hasRun(progress, stage) || iterationTrigger === undefined || iterationTrigger === message.type) return undefined;
  const text = `Only a ${iterationTrigger} makes the stage ${stage.name} run again; ${message.from} sent a ${message.type}.`;
  return { code: 'NOT_TRIGGERED', message: text };
}

const hasRun = ({ state }: StageProgress, stage: WorkflowStage): boolean =>
  (state.iterationCounts.get(stage.name) ?? 0) > 0;
