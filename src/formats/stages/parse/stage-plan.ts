import type { AgentSpec, Cast, Workflow } from '../../../core/model/workflow.ts';
import { replyTools, type WorkflowDefinition, type WorkflowStage } from '../stages.ts';
import type { RuleRow } from '../rules/stage-definition.ts';
import type { ParsingTool } from '../../../core/model/role.ts';
import type { Fallbacks } from './role-fallbacks.ts';

/** States that every stage workflow has besides its stages. */
export const STATES = {
  route: 'route',
  asking: 'asking',
  together: 'together',
  done: 'done',
  partial: 'partial',
  failed: 'failed',
} as const;

const TAKEN = new Set<string>(Object.values(STATES));

/** The state of a stage: the stage's own for its agent, and a separate one for each fallback. */
export function stageState(stage: { readonly name: string; readonly agent: string }, player: string): string {
  const own = TAKEN.has(stage.name) ? `stage_${stage.name}` : stage.name;
  return player === stage.agent ? own : `${own}@${player}`;
}

const PROGRAM = 'stages:';

/** The program of the host that calls the workflow's functions. */
export const programOf = (workflow: string): string => `${PROGRAM}${workflow}`;

/** The program that says what the engine saw before a review. */
export const SEEN_PROGRAM = 'stages.seen';

/** The workflow whose functions a program calls; undefined for a program of another kind. */
export const workflowOf = (program: string): string | undefined =>
  program.startsWith(PROGRAM) ? program.slice(PROGRAM.length) : undefined;

/** All that a stage workflow is lowered from. */
export interface StagePlan {
  readonly definition: WorkflowDefinition;
  /** Its routing table, where it has one. */
  readonly rules?: readonly RuleRow[];
  /** The name to start it by, if different from its own. */
  readonly alias?: string;
  /** The file as problems call it. */
  readonly file?: string;
  /** The module of its functions; null for those that ship with Troupe. */
  readonly module: StageModule | null;
  /** By role: the fallbacks for stages that name none. */
  readonly fallback: Fallbacks;
}

export interface StageModule {
  readonly path: string;
  /** Hash of the module and everything it imports by a path: a run continues with the code it began with. */
  readonly hash: string;
}

/** The agents of a stage: its own, then the fallbacks. */
function stagePlayers({ fallback }: Pick<StagePlan, 'fallback'>, stage: WorkflowStage): readonly string[] {
  return [...new Set([stage.agent, ...steppingIn(fallback, stage)])];
}

/** A stage's own fallbacks take precedence over the role's. */
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

/** The origin of a lowered workflow. */
export function originOf({ file, module }: StagePlan): Pick<Workflow, 'file' | 'code'> {
  const code = module === null || module.hash === '' ? {} : { code: module.hash };
  return { ...(file === undefined ? {} : { file }), ...code };
}

/** One agent per role, each with its own conversation. */
export interface StageCast {
  readonly agents: readonly AgentSpec[];
  readonly casts: Readonly<Record<string, Cast>>;
}

/** The project's roles, with the structured replies of their stages instead of their own. */
export function stageCast(plan: StagePlan, stages: readonly WorkflowStage[]): StageCast {
  const players = [...new Set(stages.flatMap((stage) => stagePlayers(plan, stage)))];
  const castName = (role: string): string => `${plan.definition.name}:${role}`;
  return {
    agents: players.map((role) => ({ name: role, role: castName(role), context: role, side: 'assistant' })),
    casts: Object.fromEntries(
      players.map((role) => {
        const played = plan.definition.stages.filter((stage) => stagePlayers(plan, stage).includes(role));
        const networkOf = played.find((stage) => stage.networkOf !== undefined)?.networkOf;
        const change = { parsingTools: toolsFor(played), signals: [] };
        return [castName(role), { of: role, change, ...(networkOf === undefined ? {} : { networkOf }) }];
      }),
    ),
  };
}

/** The outputs owed by single stages, then those common to all. */
function toolsFor(stages: readonly WorkflowStage[]): readonly ParsingTool[] {
  const asked = (type: string) => stages.flatMap(({ outputType, asks = [] }) => (outputType === type ? asks : []));
  const lists = stages.map(({ outputType }) => replyTools(outputType, asked(outputType)));
  const all = [...lists.flatMap((list) => list.slice(0, 1)), ...lists.flatMap((list) => list.slice(1))];
  return all.filter(({ name }, at) => all.findIndex((tool) => tool.name === name) === at);
}
