import type { Expression } from '../../../core/model/expression.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import { DEFAULT_LIMITS, type State, type TurnWork, type Workflow } from '../../../core/model/workflow.ts';
import { code, endState, type PlacedAgent, script, to, workState } from '../../../source/model-parts.ts';
import { afterWork, KEEP_MENDED, KEEP_PROBLEM, looping, type PhaseLowering, RESULT, UNREAD } from './phase-loop.ts';

export function lowerPhase(phase: PhaseLowering): Workflow {
  const { spec, at } = phase;
  const players = [spec.agentType, ...spec.fallback];
  const agents = players.map((type, index): PlacedAgent => {
    const own = index === 0 && spec.actor !== undefined ? { actor: spec.actor } : {};
    const where = at === undefined ? {} : { at };
    return {
      name: agentName(phase, index),
      role: phase.roleOf(type),
      context: 'work',
      side: 'assistant',
      ...own,
      ...where,
    };
  });
  const states = [...beginning(phase), ...work(phase), ...looping(phase), ...ending(phase)];
  return {
    name: phase.workflow,
    description: `The phase ${spec.id}`,
    dialect: 'phases',
    inputs: [
      { name: 'phases', type: 'object', description: 'What came of the phases before it', required: true },
      { name: 'vars', type: 'object', description: 'The inputs of the run', required: true },
      { name: 'caller', type: 'string', description: 'The phase that wants it again', required: false },
    ],
    output: null,
    data: DATA,
    contexts: [{ name: 'work', startingMessages: [], maxLength: 400_000 }],
    agents,
    start: 'start',
    states: Object.fromEntries(states.map((state) => [state.name, state])),
    limits: { ...DEFAULT_LIMITS, iterations: Math.max(DEFAULT_LIMITS.iterations, mostVisits(phase)) },
    file: phase.file,
    ...(phase.toolTries === undefined ? {} : { toolTries: phase.toolTries }),
    ...(Object.keys(phase.casts).length === 0 ? {} : { casts: phase.casts }),
  };
}

const DATA: JsonObject = {
  wanted: true,
  missing: [],
  inputs: {},
  instructions: '',
  context: {},
  criteria: [],
  outputs: [],
  needs: [],
  began: null,
  say: '',
  made: null,
  rerun: {},
  timeouts: 0,
  nudges: 0,
  settles: 0,
  isFixing: false,
  isUncollected: false,
  caller: null,
  rounds: 0,
  isUsedUp: false,
  player: 0,
  problem: null,
};

/** How often a phase may come to its work: the author's own counts are not cut short by the engine's. */
const mostVisits = ({ loop, timeoutRetries }: PhaseLowering): number =>
  (loop?.rounds ?? 1) * (1 + NUDGES + timeoutRetries) + SETTLES;

const NUDGES = 2;
const SETTLES = 2;

/** Fallbacks are agents of their own in the same conversation. */
const agentName = ({ spec }: PhaseLowering, index: number): string =>
  index === 0 ? spec.id : `${spec.id}_${index + 1}`;

function beginning(phase: PhaseLowering): readonly State[] {
  const { spec, at, from } = phase;
  const handoff =
    from.length === 0
      ? 'null'
      : `({ from: common_data.caller === null ? ${JSON.stringify(from)} : [common_data.caller], context: common_data.context, instructions: common_data.instructions,
          successCriteria: common_data.criteria.map((one) => ${CRITERION_TEXT}) })`;
  const input = code(
    `({ phase: ${JSON.stringify(spec.id)}, agent: ${JSON.stringify(spec.id)}, type: ${JSON.stringify(spec.agentType)},
      inputs: common_data.inputs, needs: common_data.needs, handoff: ${handoff} })`,
  );
  return [
    workState(
      'start',
      { kind: 'none' },
      {
        enter: script(phase.script),
        transitions: [
          to('unread', 'common_data.missing.length > 0', UNREAD),
          to('skipped', 'common_data.wanted === false'),
          to('begin'),
        ],
        at,
      },
    ),
    workState(
      'begin',
      { kind: 'compute', program: 'phase.begin', input },
      {
        transitions: [to('work', null, sayFirst(phase))],
        on: { failed: [to('tell', null, KEEP_PROBLEM)], crashed: [to('tell', null, KEEP_PROBLEM)] },
        at,
      },
    ),
    endState('skipped', 'skipped', { output: '({ output: {}, content: {}, artifacts: [] })', at }),
    endState('unread', 'failed', {
      output: '({ output: {}, content: {}, artifacts: [] })',
      failure: 'common_data.problem',
      at,
    }),
  ];
}

const CRITERION_TEXT = `typeof one === 'string' ? one
  : one.command !== undefined ? '\`' + one.command + '\` succeeds' : 'these files exist: ' + one.files.join(', ')`;

function sayFirst({ spec, known }: PhaseLowering): string {
  const more = Object.keys(known).length === 0 ? '' : `Known facts about the outputs: ${JSON.stringify(known)}`;
  return `() => {
    const d = this.common_data;
    const owed = d.outputs.map((one) => '- ' + one.name + ': ' + (one.form === 'changed'
      ? 'the files you create or change; the engine finds them itself' : one.form === 'files' ? 'files that match ' + one.path : one.path));
    d.began = result;
    const how = result.writes ? 'Deliver these outputs: write the files, or hand them in with \`submit_output\`.'
      : 'Hand in each of these outputs with \`submit_output\`. You have no tool to write files.';
    const first = d.outputs.find((one) => one.form === 'file');
    const example = first === undefined ? '' : '\\nExample: \`submit_output(' + JSON.stringify({ name: first.name, content: 'the whole text of ' + first.path }) + ')\`';
    d.say = ['# Phase: ' + ${JSON.stringify(spec.id)}, d.instructions, result.text,
      owed.length === 0 ? '' : '# Hand in\\n\\n' + how + '\\n' + owed.join('\\n') + example,
      ${JSON.stringify(more)}].filter((part) => part !== '').join('\\n\\n');
  }`;
}

function work(phase: PhaseLowering): readonly State[] {
  const players = Array.from({ length: phase.spec.fallback.length + 1 }, (_, index) => index);
  return [
    ...players.map((index) => turnState(phase, index)),
    collectState(phase, players),
    ...(phase.isApart ? [home(phase)] : []),
  ];
}

const stateOf = (player: number): string => (player === 0 ? 'work' : `fallback_${player}`);

/** One that ran out of time is tried again; after that, and after a failure, the next one takes over. */
function turnState(phase: PhaseLowering, player: number): State {
  const { spec, at, owed, timeoutRetries } = phase;
  const name = stateOf(player);
  const last = spec.fallback.length;
  const take = `this.common_data.problem = failure; this.common_data.player = ${Math.min(player + 1, last)}`;
  const give = [to(player === last ? 'tell' : stateOf(player + 1), null, take)];
  const again = 'this.common_data.timeouts = common_data.timeouts + 1';
  const turn: TurnWork = {
    kind: 'turn',
    agent: agentName(phase, player),
    mode: 'ask',
    input: code('common_data.say'),
    outputs: code('common_data.outputs.map((one) => ({ ...one, since: common_data.began.since }))'),
    ...(owed.some(({ form }) => form === 'changed') ? { changes: { since: code('common_data.began.since') } } : {}),
  };
  return workState(name, turn, {
    transitions: [to('collect')],
    on: {
      timeout: [to(name, `common_data.timeouts < ${timeoutRetries}`, again), ...give],
      failed: give,
      crashed: give,
      blocked: give,
    },
    timeoutMs: spec.timeoutMs,
    at,
  });
}

/** Whoever forgot something is told what is missing, twice; then the phase has failed with the list. */
function collectState(phase: PhaseLowering, players: readonly number[]): State {
  const next = phase.loop === null ? afterWork(phase) : 'again_1';
  const nudge = 'this.common_data.nudges = common_data.nudges + 1; this.common_data.say = result.text';
  const mayMend = `result !== null && common_data.nudges < ${NUDGES} && common_data.player`;
  return workState(
    'collect',
    { kind: 'compute', program: 'phase.collect', input: collectInput(phase) },
    {
      transitions: [to(next, null, phase.loop === null ? 'this.common_data.made = result' : KEEP_MENDED)],
      on: {
        failed: [
          // While it fixes a refused merge, the merge says what is still wrong.
          ...(phase.isApart ? [to('home', 'result !== null && common_data.isFixing', UNCOLLECTED)] : []),
          ...players.map((player) => to(stateOf(player), `${mayMend} === ${player}`, nudge)),
          to('tell', null, KEEP_PROBLEM),
        ],
        crashed: [to('tell', null, KEEP_PROBLEM)],
      },
      at: phase.at,
    },
  );
}

const UNCOLLECTED = 'this.common_data.isFixing = false; this.common_data.isUncollected = true';

const collectInput = ({ spec }: PhaseLowering): Expression =>
  code(
    `({ phase: ${JSON.stringify(spec.id)}, agent: ${JSON.stringify(spec.id)}, type: ${JSON.stringify(spec.agentType)},
      outputs: common_data.outputs, since: common_data.began.since,
      dependencies: common_data.needs.flatMap((need) => need.artifacts.map((one) => one.id)),
      criteria: common_data.criteria })`,
  );

/**
 * Phases are merged one after the other. The agent of a phase settles conflicts with the others, and fixes commands that its
 * work passes alone and fails together with theirs.
 */
function home({ at, loop }: PhaseLowering): State {
  const settle = `() => {
    const d = this.common_data;
    d.settles = d.settles + 1;
    d.isFixing = true;
    d.say = result.advice + '\\nThe work of the other phases stays: keep what both sides intended.';
  }`;
  const mayFix = `common_data.settles < ${SETTLES} && failure?.code !== 'MERGE_NOT_FIXED'`;
  const gaveUp = to('tell', null, KEEP_PROBLEM);
  return workState(
    'home',
    { kind: 'merge', agent: null, checks: code(CRITERION_COMMANDS) },
    {
      transitions: [
        to('collect', 'common_data.isUncollected', 'this.common_data.isUncollected = false'),
        ...(loop === null ? [] : [to('used_up', 'common_data.isUsedUp')]),
        to('done'),
      ],
      on: {
        blocked: [to('work', mayFix, settle), gaveUp],
        failed: [to('work', `failure?.code === 'MERGE_NOT_VERIFIED' && ${mayFix}`, settle), gaveUp],
        crashed: [gaveUp],
      },
      at,
    },
  );
}

const CRITERION_COMMANDS = `common_data.criteria.flatMap((one) => one.command === undefined ? [] : [one.command])`;

function ending(phase: PhaseLowering): readonly State[] {
  const { spec, at } = phase;
  const told = code(
    `({ type: 'error', sender: ${JSON.stringify(spec.id)}, receiver: 'orchestrator', phase: ${JSON.stringify(spec.id)},
      payload: { error_type: common_data.problem?.code ?? 'UNKNOWN', message: common_data.problem?.message ?? '', can_retry: false } })`,
  );
  return [
    endState('done', 'ok', { output: RESULT, at }),
    workState(
      'tell',
      { kind: 'compute', program: 'bus.send', input: told },
      {
        transitions: [to('timed_out', "common_data.problem?.class === 'timeout'"), to('failed')],
        at,
      },
    ),
    endState('failed', 'failed', { output: 'common_data.made', failure: 'common_data.problem', at }),
    endState('timed_out', 'timeout', { output: 'common_data.made', failure: 'common_data.problem', at }),
  ];
}
