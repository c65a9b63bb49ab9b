import { hasCompleted } from '../rules/find-stage.ts';
import { createTaskMessage } from '../rules/agent-message.ts';
import type { StageDefinition } from '../rules/stage-definition.ts';
import type { WorkflowConfig, WorkflowStage } from '../rules/workflow-definition.ts';

export interface TinyParts extends Partial<Omit<StageDefinition, 'definition'>> {
  readonly stages: readonly (Partial<WorkflowStage> & { readonly name: string })[];
  readonly config?: Partial<WorkflowConfig>;
  readonly agents?: readonly string[];
  readonly entryStage?: string;
  readonly completionStage?: string;
}

/**
 * A workflow for tests. Each stage has an agent with its name and gives a `task`, unless it says otherwise; messages go
 * nowhere unless `routeMessage` or `outputTo` says so.
 */
export function tiny({
  stages,
  config,
  agents,
  entryStage,
  completionStage,
  ...functions
}: TinyParts): StageDefinition {
  const full = stages.map((stage): WorkflowStage => ({
    agent: `${stage.name}er`,
    description: stage.name,
    outputType: 'task',
    ...stage,
  }));
  const first = full[0]?.name ?? '';
  const last = completionStage ?? full.at(-1)?.name ?? '';
  const entry = full.find(({ name }) => name === (entryStage ?? first));
  return {
    definition: {
      name: 'tiny',
      description: 'A workflow for tests',
      version: '1.0.0',
      agents: [...(agents ?? new Set(full.flatMap(({ agent, fallback = [] }) => [agent, ...fallback])))],
      stages: full,
      entryStage: entryStage ?? first,
      completionStage: last,
      config: { failureStrategy: 'abort', ...config },
    },
    getRoles: () => [...new Set(full.map(({ agent }) => agent))],
    createInitialTask: (goal) => createTaskMessage(entry?.agent ?? 'orchestrator', 'Go', goal),
    routeMessage: () => ({ messages: [] }),
    isComplete: (state) => hasCompleted(state, last),
    getNextStage: () => null,
    onStageComplete: () => undefined,
    synthesizeResult: (state) => ({
      success: hasCompleted(state, last),
      summary: state.stageHistory.map(({ stageName, status }) => `${stageName} ${status}`).join(', '),
      artifacts: [],
    }),
    ...functions,
  };
}
