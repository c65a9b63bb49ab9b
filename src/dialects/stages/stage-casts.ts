import type { ParsingTool } from '../../core/role.ts';
import type { AgentSpec, Cast } from '../../core/workflow.ts';
import { replyTools, type WorkflowStage } from '../../stages/stages.ts';
import { stagePlayers, type StagePlan } from './stage-plan.ts';

/** Who takes part: one agent a role, each in a conversation of its own. */
export interface StageCast {
  readonly agents: readonly AgentSpec[];
  readonly casts: Readonly<Record<string, Cast>>;
}

/** The project's roles, with the structured replies of the stages they play instead of their own. */
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

/** What each stage has to hand in first, then what all of them have. */
function toolsFor(stages: readonly WorkflowStage[]): readonly ParsingTool[] {
  const asked = (type: string) => stages.flatMap(({ outputType, asks = [] }) => (outputType === type ? asks : []));
  const lists = stages.map(({ outputType }) => replyTools(outputType, asked(outputType)));
  const all = [...lists.flatMap((list) => list.slice(0, 1)), ...lists.flatMap((list) => list.slice(1))];
  return all.filter(({ name }, at) => all.findIndex((tool) => tool.name === name) === at);
}
