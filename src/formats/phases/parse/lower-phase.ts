import { STEP_BEGIN, STEP_COLLECT } from '../../../core/model/step-program.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import type { Position } from '../../../core/model/fault.ts';
import { DEFAULT_LIMITS, type Cast, type State, type TurnWork, type Workflow } from '../../../core/model/workflow.ts';
import {
  byName,
  code,
  endState,
  goTo,
  leadsTo,
  type PlacedAgent,
  script,
  to,
  workState,
} from '../../../source/model-parts.ts';
import { againState, NUDGES, type PhasePlan, playerState, SETTLES } from '../rules/phase-state.ts';
import type { DeclaredOutput } from './owed-outputs.ts';
import type { PhaseSpec } from './phase-list.ts';

/** One phase as a separate workflow, run as a unit of the phases' pool. */
export interface PhaseLowering {
  readonly spec: PhaseSpec;
  readonly workflow: string;
  readonly file: string;
  readonly at: Position | undefined;
  readonly script: string;
  /** Its templates and its timeout, with their places in its file, for messages. */
  readonly places: Pick<PhasePlan, 'templates' | 'timeoutText'>;
  readonly owed: readonly DeclaredOutput[];
  readonly known: JsonObject;
  /** The agents of the phases it depends on. */
  readonly from: readonly string[];
  /** It has its own files, which are merged when it is done. */
  readonly isApart: boolean;
  readonly timeoutRetries: number;
  readonly toolTries?: number | undefined;
  readonly reportsOverlap: boolean;
  /** The role by which an agent type works in this phase. */
  readonly roleOf: (type: string) => string;
  readonly casts: Readonly<Record<string, Cast>>;
  /** Phases that are run again after each round, while the condition still holds. */
  readonly loop: { readonly phases: readonly LoopPhase[]; readonly rounds: number } | null;
}

export interface LoopPhase {
  readonly id: string;
  readonly workflow: string;
  readonly isApart: boolean;
  /** The phases whose results it reads. */
  readonly reads: readonly string[];
}

export function lowerPhase(phase: PhaseLowering): Workflow {
  const { spec } = phase;
  const states = [...beginning(phase), ...work(phase), ...looping(phase), ...ending(phase)];
  const decide = decideState(phase, states);
  return {
    name: phase.workflow,
    description: `The phase ${spec.id}`,
    family: 'phases',
    inputs: [
      { name: 'phases', type: 'object', description: 'What came of the phases before it', required: true },
      { name: 'vars', type: 'object', description: 'The inputs of the run', required: true },
      { name: 'caller', type: 'string', description: 'The phase that wants it again', required: false },
    ],
    output: null,
    data: { caller: null, reading: null, [PROGRESS]: null },
    plan: planOf(phase) as unknown as JsonObject,
    contexts: [{ name: 'work', startingMessages: [], maxLength: 400_000 }],
    agents: agentsOf(phase),
    start: START,
    states: byName([...states, decide]),
    limits: { ...DEFAULT_LIMITS, iterations: Math.max(DEFAULT_LIMITS.iterations, mostVisits(phase)) },
    file: phase.file,
    ...(phase.toolTries === undefined ? {} : { toolTries: phase.toolTries }),
    ...(Object.keys(phase.casts).length === 0 ? {} : { casts: phase.casts }),
  };
}

/** The state that reads its templates. */
const START = 'start';
const DECIDE = 'decide';

/** The variable that holds where the phase stands. */
const PROGRESS = 'phase';
const ofProgress = (part: string): string => `common_data.${PROGRESS}.${part}`;
const ofReading = (part: string): string => `common_data.reading.${part}`;

/** Fallbacks are separate agents in the same conversation. */
const agentName = ({ spec }: PhaseLowering, index: number): string =>
  index === 0 ? spec.id : `${spec.id}_${index + 1}`;

function agentsOf(phase: PhaseLowering): readonly PlacedAgent[] {
  const { spec, at } = phase;
  return [spec.agentType, ...spec.fallback].map((type, index): PlacedAgent => {
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
}

function planOf({ spec, loop, places, known, from, isApart, timeoutRetries }: PhaseLowering): PhasePlan {
  return {
    id: spec.id,
    players: spec.fallback.length + 1,
    timeoutRetries,
    isApart,
    from,
    known,
    ...places,
    loop:
      loop === null
        ? null
        : { rounds: loop.rounds, condition: spec.condition ?? '', again: loop.phases.map(({ id }) => id) },
  };
}

/** How often a phase may come to its decisions: the author's own counts are not cut short by the engine's. */
function mostVisits({ loop, timeoutRetries, spec }: PhaseLowering): number {
  const { rounds = 1, phases = [] } = loop ?? {};
  const fallbacks = spec.fallback.length;
  // After begin, each turn that was lost, each nudge, collect, each phase that is run again, and start.
  const round = 3 + timeoutRetries + fallbacks + NUDGES + phases.length;
  // After a refused merge, each turn that was lost, a collect that failed, a merge, collect, each phase that is run again, and start.
  const settling = 5 + fallbacks + phases.length;
  // Besides these it reads its templates first, and merges last.
  return rounds * round + SETTLES * settling + 2;
}

/** The one place where it is decided what comes next. */
function decideState({ at }: PhaseLowering, states: readonly State[]): State {
  const transitions = [...states.map(({ name }) => goTo(name)), to('failed')];
  return workState(
    DECIDE,
    { kind: 'compute', program: 'phases.decide', input: code('null'), keeps: PROGRESS },
    { transitions, at },
  );
}

function beginning({ spec, at, from, script: source }: PhaseLowering): readonly State[] {
  const handoff =
    from.length === 0
      ? 'null'
      : `({ from: ${ofProgress('handoff.from')}, successCriteria: ${ofProgress('handoff.successCriteria')},
          context: ${ofReading('context')}, instructions: ${ofReading('instructions')} })`;
  const input = code(
    `({ phase: ${JSON.stringify(spec.id)}, agent: ${JSON.stringify(spec.id)}, type: ${JSON.stringify(spec.agentType)},
      inputs: ${ofReading('inputs')}, needs: ${ofProgress('needs')}, handoff: ${handoff} })`,
  );
  return [
    workState(START, { kind: 'none' }, { enter: script(source), transitions: [to(DECIDE)], at }),
    workState(
      'begin',
      { kind: 'compute', program: STEP_BEGIN, input },
      { ...leadsTo(DECIDE, ['failed', 'crashed']), at },
    ),
  ];
}

function work(phase: PhaseLowering): readonly State[] {
  const { spec, at, isApart } = phase;
  const players = Array.from({ length: spec.fallback.length + 1 }, (_, index) => index);
  const input = code(
    `({ phase: ${JSON.stringify(spec.id)}, agent: ${JSON.stringify(spec.id)}, type: ${JSON.stringify(spec.agentType)},
      outputs: ${ofReading('outputs')}, since: ${ofProgress('since')}, dependencies: ${ofProgress('dependencies')},
      criteria: ${ofReading('criteria')} })`,
  );
  return [
    ...players.map((index) => turnState(phase, index)),
    workState(
      'collect',
      { kind: 'compute', program: STEP_COLLECT, input, writes: true },
      { ...leadsTo(DECIDE, ['failed', 'crashed']), at },
    ),
    // Phases are merged one after the other.
    ...(isApart ? [homeState(phase)] : []),
  ];
}

function turnState(phase: PhaseLowering, player: number): State {
  const { spec, at, owed } = phase;
  const turn: TurnWork = {
    kind: 'turn',
    agent: agentName(phase, player),
    mode: 'ask',
    input: code(ofProgress('say')),
    outputs: code(ofProgress('owed')),
    ...(owed.some(({ form }) => form === 'changed') ? { changes: { since: code(ofProgress('since')) } } : {}),
  };
  return workState(playerState(player), turn, {
    ...leadsTo(DECIDE, ['timeout', 'failed', 'crashed', 'blocked']),
    transitions: [to('collect')],
    timeoutMs: spec.timeoutMs,
    at,
  });
}

function homeState({ at, reportsOverlap }: PhaseLowering): State {
  const merge = { kind: 'merge', agent: null, checks: code(ofProgress('checks')) } as const;
  return workState(
    'home',
    { ...merge, ...(reportsOverlap ? { reportsOverlap } : {}) },
    { ...leadsTo(DECIDE, ['blocked', 'failed', 'crashed']), at },
  );
}

/** After each round what is judged is made again, and the condition is looked at again (PH2). */
function looping({ loop, spec, at }: PhaseLowering): readonly State[] {
  if (loop === null) return [];
  const calls = loop.phases.map(({ workflow, isApart, reads }, index) => {
    const input = {
      phases: code(resultsFor(reads, (id) => [`${ofProgress('rerun')}[${id}]`, `common_data.phases[${id}]`])),
      vars: code('common_data.vars'),
      caller: code(JSON.stringify(spec.id)),
    };
    return workState(
      againState(index),
      { kind: 'call', workflow, input, ...(isApart ? { workspace: 'own' } : {}) },
      { ...leadsTo(DECIDE), at },
    );
  });
  return [...calls, endState('used_up', 'partial', { output: RESULT, failure: ofProgress('problem'), at })];
}

/** An expression that gives the results of some phases and no others; `newest` names where each is looked for, the newest first. */
export function resultsFor(ids: readonly string[], newest: (id: string) => readonly string[]): string {
  const fields = ids.map((id) => {
    const key = JSON.stringify(id);
    return `${key}: ${[...newest(key), 'null'].join(' ?? ')}`;
  });
  return `({ ${fields.join(', ')} })`;
}

/** The result of a phase for later phases. */
const RESULT = `({ ...${ofProgress('made')}, rerun: ${ofProgress('rerun')} })`;
const NOTHING = '({ output: {}, content: {}, artifacts: [] })';

function ending({ at }: PhaseLowering): readonly State[] {
  const failure = ofProgress('problem');
  const output = ofProgress('made');
  return [
    endState('skipped', 'skipped', { output: NOTHING, at }),
    endState('unread', 'failed', { output: NOTHING, failure, at }),
    endState('done', 'ok', { output: RESULT, at }),
    endState('failed', 'failed', { output, failure, at }),
    endState('timed_out', 'timeout', { output, failure, at }),
  ];
}
