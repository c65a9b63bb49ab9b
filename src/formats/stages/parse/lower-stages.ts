import {
  DEFAULT_LIMITS,
  type PoolWork,
  type State,
  type UnitWork,
  type Workflow,
} from '../../../core/model/workflow.ts';
import { byName, code, endState, goTo, leadsTo, to, workState } from '../../../source/model-parts.ts';
import { firstState, playedStage, reviewsFiles, WARD } from './evidence.ts';
import { casesOf, originOf, programOf, type StageCase, stageCast, type StagePlan, STATES } from './stage-plan.ts';

/** The result of a stage that ran in parallel. */
const HEARD = '({ call: this.last_parsing_tool_calls.at(-1)?.function ?? null, text: this.last_agent_response })';

/** One turn of a stage as a separate workflow, so that a parallel stage still has its own time limit. */
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
      since: 'common_data.since',
      answered: to('done'),
      lost: { failed, crashed: failed, blocked: failed, timeout: { ...failed, target: 'timed_out' } },
    }),
    endState('done', 'ok', { output: HEARD }),
    endState('failed', 'failed', { output, failure }),
    endState('timed_out', 'timeout', { output, failure }),
  ];
  return {
    name: `${name}/${state}`,
    description: `The stage ${stage.name}, played by ${player}`,
    family: 'stages',
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
    data: { problem: null, since: {}, ward: [], seen: '' },
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
 * Lowers a stage workflow for the engine: in `route` the host calls the workflow's functions, once for each event, and journals their
 * decision; from there the run goes to the chosen stage, and back. Several stages at once are units of a pool, each a run. The
 * workflow itself comes first, then those it calls.
 */
export function lowerStages(plan: StagePlan): readonly Workflow[] {
  const { definition, alias } = plan;
  const name = alias ?? definition.name;
  const { agents, casts } = stageCast(plan, definition.stages);
  const states = [route(plan), ...casesOf(plan).flatMap(stageStates), asking(), ...together(plan, name), ...endings()];
  const whole: Workflow = {
    name,
    description: aboutOf(plan),
    family: 'stages',
    inputs: [
      { name: 'goal', type: 'string', description: 'What you want', required: true },
      ...(definition.stages.some(reviewsFiles) ? [WARD] : []),
    ],
    output: null,
    data: { [STEP]: null, ward: [], seen: '' },
    contexts: agents.map(({ context }) => ({ name: context, startingMessages: [], maxLength: 400_000 })),
    agents,
    start: STATES.route,
    states: byName(states),
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

/** The variable that the program of `route` keeps its step in. */
const STEP = 'step';
const ofStep = (part: string): string => `common_data.${STEP}.${part}`;

function route(plan: StagePlan): State {
  const { definition, module, fallback } = plan;
  const isParallel = parallelCases(plan).length > 0;
  const others = [STATES.asking, ...(isParallel ? [STATES.together] : []), STATES.done, STATES.partial];
  const input = code(`({ module: ${JSON.stringify(module)}, fallback: ${JSON.stringify(fallback)} })`);
  const transitions = [
    ...casesOf(plan).map((one) => goTo(one.state, firstState(one))),
    ...others.map((place) => goTo(place)),
    to(STATES.failed),
  ];
  const program = programOf(definition.name);
  return workState(STATES.route, { kind: 'compute', program, input, keeps: STEP }, { transitions });
}

function stageStates(one: StageCase): readonly State[] {
  const back = to(STATES.route);
  return playedStage({
    case: one,
    say: ofStep('items[0].say'),
    since: ofStep('since'),
    answered: back,
    lost: { failed: back, crashed: back, timeout: back, blocked: back },
    leftMs: ofStep('leftMs'),
  });
}

/** The time a person takes counts for nothing. */
function asking(): State {
  return workState(
    STATES.asking,
    { kind: 'ask', question: code(ofStep('items[0].say')), choices: [] },
    { transitions: [to(STATES.route)] },
  );
}

/** The next step is decided when all of them have ended, whatever their outcome. */
function together(plan: StagePlan, name: string): readonly State[] {
  const cases = parallelCases(plan);
  if (cases.length === 0) return [];
  const calls = cases.map(({ state }) => [
    state,
    {
      kind: 'call',
      workflow: `${name}/${state}`,
      input: { say: code('item.say'), ward: code('common_data.ward'), since: code(ofStep('since')) },
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
    units: { kind: 'items', items: code(ofStep('items')), work },
    slots: cases.length,
    join: { rule: 'any' },
    grow: null,
  };
  return [{ ...workState(STATES.together, pool, leadsTo(STATES.route)), timeout: code(ofStep('leftMs')) }];
}

function endings(): readonly State[] {
  const output = ofStep('result');
  const failure = ofStep('failure');
  return [
    endState(STATES.done, 'ok', { output }),
    endState(STATES.partial, 'partial', { output, failure }),
    endState(STATES.failed, 'failed', { output, failure }),
  ];
}
