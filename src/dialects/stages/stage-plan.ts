import type { Workflow } from '../../core/workflow.ts';
import type { WorkflowDefinition, WorkflowStage } from '../../stages/stages.ts';
import type { RuleRow } from '../../stages/rule-rows.ts';
import type { Fallbacks } from './role-fallbacks.ts';
import { stageState } from './stage-names.ts';

/** All that a stage workflow is lowered from. */
export interface StagePlan {
  readonly definition: WorkflowDefinition;
  /** Its routing table, where it has one. */
  readonly rules?: readonly RuleRow[];
  /** What it is started by, where that is another name than its own. */
  readonly alias?: string;
  /** The file as problems call it. */
  readonly file?: string;
  /** Where its functions are; null for those that ship with Troupe. */
  readonly module: StageModule | null;
  /** By role: who steps in where the stage names nobody, as the roles themselves say. */
  readonly fallback: Fallbacks;
}

export interface StageModule {
  readonly path: string;
  /** Of the module and all that it imports by a path: a run goes on with the code it began with. */
  readonly hash: string;
}

/** Who plays a stage: its agent, then those who step in when it failed. */
export function stagePlayers({ fallback }: Pick<StagePlan, 'fallback'>, stage: WorkflowStage): readonly string[] {
  return [...new Set([stage.agent, ...steppingIn(fallback, stage)])];
}

/** A stage that names somebody knows better than the role. */
export function steppingIn(fallback: StagePlan['fallback'], stage: WorkflowStage): readonly string[] {
  const ofRole = Object.hasOwn(fallback, stage.agent) ? fallback[stage.agent] : undefined;
  return stage.fallback ?? ofRole ?? [];
}

/** A stage, and one of those who may play it. */
export interface StageCase {
  readonly stage: WorkflowStage;
  readonly player: string;
  readonly state: string;
}

export const casesOf = (plan: StagePlan): readonly StageCase[] =>
  plan.definition.stages.flatMap((stage) =>
    stagePlayers(plan, stage).map((player) => ({ stage, player, state: stageState(stage, player) })),
  );

/** Where a lowered workflow comes from. */
export function originOf({ file, module }: StagePlan): Pick<Workflow, 'file' | 'code'> {
  const code = module === null || module.hash === '' ? {} : { code: module.hash };
  return { ...(file === undefined ? {} : { file }), ...code };
}
