import { DEFAULT_LIMITS, type Workflow } from '../../core/workflow.ts';
import { firstState, playedStage, WARD } from './evidence.ts';
import { endState, to } from '../source/model-parts.ts';
import { stageCast } from './stage-casts.ts';
import { originOf, type StageCase, type StagePlan } from './stage-plan.ts';

const ANSWERED = 'this.common_data.heard = { calls: this.last_parsing_tool_calls, text: this.last_agent_response }';

/** One turn of a stage as a workflow of its own: so a stage that runs beside others still has a time limit of its own. */
export function lowerStage(plan: StagePlan, name: string, { stage, player, state }: StageCase): Workflow {
  const { agents, casts } = stageCast(plan, [stage]);
  const agent = agents.filter((one) => one.name === player);
  const failed = to('failed', null, 'this.common_data.problem = failure');
  const failure = 'common_data.problem';
  const output = '({ code: common_data.problem.code, class: common_data.problem.class, since: common_data.since })';
  const one = { stage, player, state: 'turn' };
  const states = [
    ...playedStage({
      case: one,
      say: 'common_data.say',
      answered: to('done', null, ANSWERED),
      lost: { failed, crashed: failed, blocked: failed, timeout: { ...failed, target: 'timed_out' } },
    }),
    endState('done', 'ok', { output: 'common_data.heard' }),
    endState('failed', 'failed', { output, failure }),
    endState('timed_out', 'timeout', { output, failure }),
  ];
  return {
    name: `${name}/${state}`,
    description: `The stage ${stage.name}, played by ${player}`,
    dialect: 'stages',
    inputs: [
      { name: 'say', type: 'string', description: 'The order of the agent', required: true },
      {
        name: 'since',
        type: 'object',
        description: 'The files that each stage began with at its first try',
        required: true,
      },
      WARD,
    ],
    output: null,
    data: { problem: null, heard: null, since: {}, ward: [], seen: '' },
    contexts: [{ name: player, startingMessages: [], maxLength: 400_000 }],
    agents: agent,
    start: firstState(one),
    states: Object.fromEntries(states.map((part) => [part.name, part])),
    limits: DEFAULT_LIMITS,
    casts: Object.fromEntries(Object.entries(casts).filter(([, { of }]) => of === player)),
    ...originOf(plan),
  };
}
