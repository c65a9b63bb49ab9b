import { describe, expect, test } from 'vitest';
import type { EndedState } from '../../../core/fold/snapshot.ts';
import type { Json } from '../../../core/model/json.ts';
import type { Failure, Outcome } from '../../../core/model/outcome.ts';
import { DEFAULT_LIMITS, type State, type Workflow } from '../../../core/model/workflow.ts';
import { valueOrFault } from '../../../source/checked.ts';
import { parsePhases } from '../parse/parse-phases.ts';
import { phaseEvent } from '../programs/phase-event.ts';
import { decidePhase } from './decide-phase.ts';
import type { PhasePlan, PhaseProgress, PhaseReading } from './phase-state.ts';

interface PhaseShape {
  readonly rounds: number | null;
  readonly retries: number;
  readonly fallback: readonly string[];
  /** A second phase runs in parallel, so it merges its own files. */
  readonly isApart: boolean;
}

/** The workflow of a phase "repair" that judges two others. */
function repairOf({ rounds, retries, fallback, isApart }: PhaseShape): Workflow {
  const judged = ['a', 'c'];
  const loop = rounds === null ? {} : { condition: '1 > 0', max_iterations: rounds };
  const document = {
    name: 't',
    errors: { timeout_retries: retries },
    phases: [
      { id: 'a', agent_type: 'verification' },
      { id: 'c', agent_type: 'verification' },
      { id: 'repair', agent_type: 'execution', depends_on: judged, fallback, ...loop },
      ...(isApart ? [{ id: 'docs', agent_type: 'execution' }] : []),
    ],
  };
  const workflows = valueOrFault(parsePhases(document, { file: 'w.yml', locate: () => undefined }), 'INTERNAL');
  const repair = workflows.find(({ name }) => name === 't/repair');
  if (repair === undefined) throw new Error('There is no workflow t/repair.');
  return repair;
}

const READING: PhaseReading = {
  wanted: true,
  missing: [],
  used: [],
  inputs: {},
  instructions: '',
  context: {},
  criteria: [],
  outputs: [],
};
const READINGS = [READING, { ...READING, wanted: false }, { ...READING, missing: ['a.output.x'] }];

const BEGUN: Json = { since: 'tree', text: '', writes: true };
const MADE: Json = { output: {}, content: {}, artifacts: [] };

/** Possible outputs of a state; null if its output does not matter. */
const OUTPUTS: Readonly<Record<string, (outcome: Outcome) => readonly Json[]>> = {
  begin: (outcome) => [outcome === 'ok' ? BEGUN : null],
  collect: (outcome) => (outcome === 'ok' ? [MADE] : [null, { text: 'It is missing.' }]),
  home: (outcome) => (outcome === 'ok' ? [null] : [null, { advice: 'Settle it.' }]),
  again_1: () => [MADE],
  again_2: () => [MADE],
};

const CODES = ['MERGE_NOT_VERIFIED', 'MERGE_NOT_FIXED'] as const;

function failuresOf(state: string, outcome: Outcome): readonly (Failure | null)[] {
  if (outcome === 'ok') return [null];
  if (outcome === 'timeout') return [{ code: 'TIMEOUT', message: 'Too late.', class: 'timeout' }];
  return (state === 'home' ? CODES : CODES.slice(0, 1)).map((code) => ({ code, message: 'No.', class: 'logic' }));
}

type Place = Extract<State, { kind: 'work' }>;

const outcomesOf = ({ on }: Place): readonly Outcome[] => ['ok', ...(Object.keys(on) as Outcome[])];

/** All ways in which a state may end. */
const endsOf = (place: Place): readonly EndedState[] =>
  outcomesOf(place).flatMap((outcome) =>
    failuresOf(place.name, outcome).flatMap((failure) =>
      (OUTPUTS[place.name]?.(outcome) ?? [null]).map((output) => ({ state: place.name, outcome, output, failure })),
    ),
  );

/** Goes all ways through the workflow of a phase, by its rules. Rules that go round without an end overflow the stack. */
class Ways {
  /** Each state with the progress that it was reached with first. */
  readonly reached = new Map<string, PhaseProgress | null>();
  readonly went = new Set<string>();
  readonly #workflow: Workflow;
  readonly #known = new Map<string, number>();

  constructor(workflow: Workflow) {
    this.#workflow = workflow;
  }

  get declared(): readonly string[] {
    const { decide } = this.#workflow.states;
    return decide?.kind === 'work' ? decide.transitions.map(({ target }) => target) : [];
  }

  /** How often the phase decides at most from a state on. */
  most(name: string, progress: PhaseProgress | null): number {
    const key = JSON.stringify([name, progress]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (!this.reached.has(name)) this.reached.set(name, progress);
    const place = this.#workflow.states[name];
    if (place === undefined) throw new Error(`There is no state ${name}.`);
    const counts = place.kind === 'end' ? [0] : endsOf(place).flatMap((last) => this.#after(place, last, progress));
    const most = Math.max(...counts);
    this.#known.set(key, most);
    return most;
  }

  #after(place: Place, last: EndedState, progress: PhaseProgress | null): readonly number[] {
    const ways = last.outcome === 'ok' ? place.transitions : (place.on[last.outcome] ?? []);
    const target = ways[0]?.target ?? '';
    if (target !== 'decide') return [this.most(target, progress)];
    return (place.name === 'start' ? READINGS : [READING]).map((reading) => this.#decided(last, reading, progress));
  }

  #decided(last: EndedState, reading: PhaseReading, progress: PhaseProgress | null): number {
    const plan = this.#workflow.plan as unknown as PhasePlan;
    const facts = { plan, reading, phases: {}, caller: null };
    const { state, orders } = decidePhase(facts, progress, phaseEvent(last, facts));
    this.went.add(orders.go);
    return 1 + this.most(orders.go, state);
  }
}

describe('[PS4] [PS5] whatever happens in a phase', () => {
  test.each<readonly [string, PhaseShape]>([
    ['a loop with its own files', { rounds: 5, retries: 0, fallback: ['fix'], isApart: true }],
    ['a loop that tries more', { rounds: 3, retries: 3, fallback: ['fix', 'research'], isApart: true }],
    ['a loop in shared files', { rounds: 5, retries: 2, fallback: ['fix'], isApart: false }],
    ['its own files', { rounds: null, retries: 40, fallback: ['fix'], isApart: true }],
    ['shared files', { rounds: null, retries: 60, fallback: [], isApart: false }],
  ])('%s: it goes only where a way is declared, to every state, and within its limit', (_what, shape) => {
    const workflow = repairOf(shape);
    const ways = new Ways(workflow);
    const most = ways.most(workflow.start, null);
    expect(ways.declared).toEqual(expect.arrayContaining([...ways.went]));
    expect([...ways.reached.keys(), 'decide'].toSorted()).toEqual(Object.keys(workflow.states).toSorted());
    expect(JSON.parse(JSON.stringify([...ways.reached]))).toStrictEqual([...ways.reached]);
    // Else the limit of every workflow would hide the one that is counted for this phase.
    expect(most).toBeGreaterThan(DEFAULT_LIMITS.iterations);
    expect(most).toBeLessThanOrEqual(workflow.limits.iterations);
  });
});
