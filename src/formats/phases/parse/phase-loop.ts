import type { Cast, State } from '../../../core/model/workflow.ts';
import type { Position } from '../../../core/model/fault.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import { code, endState, script, to, workState } from '../../../source/model-parts.ts';
import type { DeclaredOutput } from './owed-outputs.ts';
import type { PhaseSpec } from './phase-list.ts';
import type { PhaseDocument } from './phases-schema.ts';

/** What one phase becomes: a workflow of its own, run as a unit of the phases' pool. */
export interface PhaseLowering {
  readonly spec: PhaseSpec;
  readonly workflow: string;
  readonly file: string;
  readonly at: Position | undefined;
  readonly script: string;
  readonly owed: readonly DeclaredOutput[];
  readonly known: JsonObject;
  /** The agents of the phases it depends on. */
  readonly from: readonly string[];
  /** It has files of its own, which are brought home when it is done. */
  readonly isApart: boolean;
  readonly timeoutRetries: number;
  readonly toolTries?: number | undefined;
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
}

/** After each round what is judged is made again, and the condition is looked at again (PH2). */
export function looping(phase: PhaseLowering): readonly State[] {
  const { loop, at } = phase;
  if (loop === null) return [];
  const { phases, rounds } = loop;
  const calls = phases.map(({ id, workflow, isApart }, index) => {
    const key = JSON.stringify(id);
    const keep = `() => { const d = this.common_data; d.phases[${key}] = { outcome: 'ok', output: result }; d.rerun[${key}] = d.phases[${key}]; }`;
    const next = index === phases.length - 1 ? 'look' : `again_${index + 2}`;
    const own = isApart ? ({ workspace: 'own' } as const) : {};
    const input = {
      phases: code('common_data.phases'),
      vars: code('common_data.vars'),
      caller: code(JSON.stringify(phase.spec.id)),
    };
    return workState(
      `again_${index + 1}`,
      { kind: 'call', workflow, input, ...own },
      {
        transitions: [to(next, null, keep)],
        on: Object.fromEntries(BAD.map((outcome) => [outcome, [to('tell', null, KEEP_PROBLEM)]])),
        at,
      },
    );
  });
  const used = `this.common_data.isUsedUp = true; this.common_data.problem = { code: 'FIX_ROUNDS_USED', message: ${JSON.stringify(
    `After ${rounds} round${rounds === 1 ? '' : 's'} of ${phase.spec.id} its condition still holds: ${phase.spec.condition ?? ''}`,
  )}, hint: 'The files are kept as they are. Give more rounds with max_iterations, or look at the last report.' }`;
  const look = workState(
    'look',
    { kind: 'none' },
    {
      enter: script(phase.script),
      transitions: [
        to('unread', 'common_data.missing.length > 0', UNREAD),
        to(afterWork(phase), 'common_data.wanted === false', 'this.common_data.isUsedUp = false'),
        to('begin', `common_data.rounds + 1 < ${rounds}`, NEXT_ROUND),
        // What was done is kept: files of its own are brought home first.
        to(phase.isApart ? 'home' : 'used_up', null, used),
      ],
      at,
    },
  );
  return [...calls, look, endState('used_up', 'partial', { output: RESULT, failure: 'common_data.problem', at })];
}

/**
 * What was mended is what counts from now on: whoever looks again, and whoever comes later, gets these versions. Plans and
 * reports are no work that could be mended: they stay pinned to what their phase recorded.
 */
export const KEEP_MENDED = `() => {
  const d = this.common_data;
  d.made = result;
  const mended = new Map([...(result.others ?? []), ...result.artifacts].filter((one) => one.type === 'code' || one.type === 'data').map((one) => [one.path, one]));
  for (const [id, one] of Object.entries(d.phases)) {
    const artifacts = one.output?.artifacts ?? [];
    if (!artifacts.some((old) => mended.has(old.path))) continue;
    const newest = (old) => {
      const { id: name, hash } = mended.get(old.path) ?? old;
      return old.type === 'code' || old.type === 'data' ? { ...old, id: name, hash } : old;
    };
    d.phases[id] = { ...one, output: { ...one.output, artifacts: artifacts.map(newest) } };
    d.rerun[id] = d.phases[id];
  }
}`;

/** Each round begins with the phase's own agent, and with all its tries. */
const NEXT_ROUND = `() => {
  const d = this.common_data;
  d.rounds = d.rounds + 1;
  d.nudges = 0;
  d.timeouts = 0;
  d.player = 0;
}`;

const BAD = ['failed', 'crashed', 'timeout', 'blocked', 'partial'] as const;

/** What a phase gives to those after it. */
export const RESULT = '({ ...common_data.made, rerun: common_data.rerun })';

export const UNREAD = `() => {
  const d = this.common_data;
  d.problem = { code: 'TEMPLATE_EMPTY', message: 'Nothing has a value for ' + d.missing.map((one) => '\${' + one + '}').join(', ') + '.',
    hint: 'See what the phase it reads from wrote: troupe artifacts RUN. A value that may be missing is written with ?.' };
}`;

export const KEEP_PROBLEM = 'this.common_data.problem = failure';

export const afterWork = ({ isApart }: PhaseLowering): string => (isApart ? 'home' : 'done');

type Mode = PhaseDocument['mode'];

/** The mode each shipped type has by itself: naming it changes nothing. */
const OWN_MODES: Readonly<Record<string, Mode>> = {
  planning: 'PLANNING',
  execution: 'EXECUTION',
  verification: 'VERIFICATION',
  fix: 'FIX',
  research: 'RESEARCH',
  orchestrator: 'ORCHESTRATION',
};

/** The role of an agent type in a mode: the type itself, or one made from it. */
export function castName(type: string, mode: Mode): string {
  return mode === undefined || OWN_MODES[type] === mode ? type : `${type}:${mode}`;
}

export function castsFor(types: readonly string[], mode: Mode): Readonly<Record<string, Cast>> {
  if (mode === undefined) return {};
  const changed = types.filter((type) => castName(type, mode) !== type);
  return Object.fromEntries(changed.map((type) => [castName(type, mode), { of: type, change: {}, agentMode: mode }]));
}
