import {
  DEFAULT_LIMITS,
  type PoolWork,
  type State,
  type Transition,
  type UnitWork,
  type Workflow,
} from '../../../core/model/workflow.ts';
import { code, endState, to, workState } from '../../../source/model-parts.ts';
import { firstState, KEEP_ALL_SINCE, playedStage, reviewsFiles, WARD } from './evidence.ts';
import { casesOf, originOf, programOf, type StageCase, stageCast, type StagePlan, STATES } from './stage-plan.ts';

const HEARD = 'this.common_data.heard = { calls: this.last_parsing_tool_calls, text: this.last_agent_response }';

/** One turn of a stage as a workflow of its own: so a stage that runs beside others still has a time limit of its own. */
function lowerStage(plan: StagePlan, name: string, { stage, player, state }: StageCase): Workflow {
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
      answered: to('done', null, HEARD),
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

/**
 * A stage workflow as the engine runs it: in `route` the host calls the workflow's functions, once for each event, and what they
 * decided is journaled; from there the run goes to the stage that was decided, and back. Several stages at once are units of
 * a pool, each a run of its own. The workflow itself comes first, then those it calls.
 */
export function lowerStages(plan: StagePlan): readonly Workflow[] {
  const { definition, alias } = plan;
  const name = alias ?? definition.name;
  const { agents, casts } = stageCast(plan, definition.stages);
  const states = [route(plan), ...casesOf(plan).flatMap(stageStates), asking(), ...together(plan, name), ...endings()];
  const whole: Workflow = {
    name,
    description: aboutOf(plan),
    dialect: 'stages',
    inputs: [
      { name: 'goal', type: 'string', description: 'What you want', required: true },
      ...(definition.stages.some(reviewsFiles) ? [WARD] : []),
    ],
    output: null,
    data: { step: null, heard: [], since: {}, ward: [], seen: '' },
    contexts: agents.map(({ context }) => ({ name: context, startingMessages: [], maxLength: 400_000 })),
    agents,
    start: STATES.route,
    states: Object.fromEntries(states.map((state) => [state.name, state])),
    // Every stage leads through `route`: it is entered as often as all of them together.
    limits: { ...DEFAULT_LIMITS, iterations: DEFAULT_LIMITS.iterations * Math.max(1, definition.stages.length) },
    casts,
    ...originOf(plan),
  };
  return [whole, ...parallelCases(plan).map((one) => lowerStage(plan, name, one))];
}

const parallelCases = (plan: StagePlan): readonly StageCase[] =>
  plan.definition.config.parallelAgents === true ? casesOf(plan) : [];

function aboutOf({ definition, alias }: StagePlan): string {
  const about = definition.description ?? '';
  return alias === undefined ? about : `${about} (another name for ${definition.name})`;
}

const KEEP_STEP = 'this.common_data.step = result';

function route(plan: StagePlan): State {
  const { definition, module, fallback } = plan;
  const isParallel = parallelCases(plan).length > 0;
  const others = [STATES.asking, ...(isParallel ? [STATES.together] : []), STATES.done, STATES.partial];
  const input = code(
    `({ module: ${JSON.stringify(module)}, fallback: ${JSON.stringify(fallback)},
      goal: common_data.goal, step: common_data.step, heard: common_data.heard })`,
  );
  const go = (place: string, target = place): Transition =>
    to(target, `result.go === ${JSON.stringify(place)}`, KEEP_STEP);
  const transitions = [
    ...casesOf(plan).map((one) => go(one.state, firstState(one))),
    ...others.map((place) => go(place)),
    to(STATES.failed, null, KEEP_STEP),
  ];
  return workState(STATES.route, { kind: 'compute', program: programOf(definition.name), input }, { transitions });
}

const ANSWERED = `this.common_data.heard = [{ outcome: 'ok', reason: null,
  output: { calls: this.last_parsing_tool_calls, text: this.last_agent_response } }]`;
const LOST = `this.common_data.heard = [{ outcome, reason: failure.message,
  output: { code: failure.code, class: failure.class } }]`;

function stageStates(one: StageCase): readonly State[] {
  const lost = to(STATES.route, null, LOST);
  return playedStage({
    case: one,
    say: 'common_data.step.items[0].say',
    answered: to(STATES.route, null, ANSWERED),
    lost: { failed: lost, crashed: lost, timeout: lost, blocked: lost },
    leftMs: 'common_data.step.leftMs',
  });
}

/** The time a person takes counts for nothing. */
function asking(): State {
  return workState(
    STATES.asking,
    { kind: 'ask', question: code('common_data.step.items[0].say'), choices: [] },
    {
      transitions: [
        to(STATES.route, null, "this.common_data.heard = [{ outcome: 'ok', reason: null, output: result }]"),
      ],
    },
  );
}

/** What follows is decided when all of them have ended, whatever came of them. */
function together(plan: StagePlan, name: string): readonly State[] {
  const cases = parallelCases(plan);
  if (cases.length === 0) return [];
  const calls = cases.map(({ state }) => [
    state,
    {
      kind: 'call',
      workflow: `${name}/${state}`,
      input: { say: code('item.say'), ward: code('common_data.ward'), since: code('common_data.since') },
    } as const,
  ]);
  const question = { kind: 'ask', question: code('item.say'), choices: [] } as const;
  const work: UnitWork = {
    kind: 'choice',
    by: code('item.place'),
    cases: { ...Object.fromEntries(calls), [STATES.asking]: question },
  };
  const pool: PoolWork = {
    kind: 'pool',
    units: { kind: 'items', items: code('common_data.step.items'), work },
    slots: cases.length,
    join: { rule: 'any' },
    grow: null,
  };
  const heard = [to(STATES.route, null, `${KEEP_ALL_SINCE}; this.common_data.heard = result.units`)];
  const on = { partial: heard, failed: heard, crashed: heard, timeout: heard, blocked: heard };
  return [
    { ...workState(STATES.together, pool, { transitions: heard, on }), timeout: code('common_data.step.leftMs') },
  ];
}

function endings(): readonly State[] {
  const output = 'common_data.step.result';
  const failure = 'common_data.step.failure';
  return [
    endState(STATES.done, 'ok', { output }),
    endState(STATES.partial, 'partial', { output, failure }),
    endState(STATES.failed, 'failed', { output, failure }),
  ];
}
