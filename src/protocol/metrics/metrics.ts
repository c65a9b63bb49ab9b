import type { OwnCharge } from '../../core/charge.ts';
import type { JournalRecord } from '../../core/fact.ts';
import type { Outcome } from '../../core/outcome.ts';
import { timeNow, type Sight } from '../../core/work-clock.ts';
import { Durations, rate, Spending } from './counters.ts';
import { RunCounter } from './count-run.ts';
import type { MetricsView, PhaseFigures, RunFigures } from './metrics-view.ts';
import { Tally, type PhaseName } from './tally.ts';

/** The records of a run that a person started and of all below it, runs above before those below. */
export interface CountedRun extends Pick<RunFigures, 'run' | 'title' | 'project' | 'status'> {
  readonly isDriven: boolean;
  readonly records: readonly {
    readonly run: string;
    readonly record: JournalRecord;
    readonly isInherited: boolean;
  }[];
}

/** Counts runs; a fold of their records. */
export class Metrics {
  readonly #tally = new Tally();
  readonly #durations = new Durations();
  readonly #spending = new Spending();
  readonly #outcomes: Partial<Record<Outcome, number>> = {};
  readonly #runs: RunFigures[] = [];
  readonly #now: number;

  /** `now`: until when what is not over has lasted. */
  constructor(now: number) {
    this.#now = now;
  }

  add(counted: CountedRun): void {
    const figures = this.#count(counted);
    this.#runs.push(figures);
    if (figures.endedAt !== null) this.#durations.add(figures.durationMs);
    if (figures.outcome !== null) this.#outcomes[figures.outcome] = (this.#outcomes[figures.outcome] ?? 0) + 1;
  }

  /** One pass over the records: what a tree cost is the sum of what its records cost. */
  #count({ records, isDriven, ...about }: CountedRun): RunFigures {
    const root = about.run;
    const counters = new Map<string, RunCounter>();
    const spending = new Spending();
    for (const { run, record, isInherited } of records) {
      const counter = counters.get(run) ?? new RunCounter(this.#tally, run === root);
      counters.set(run, counter);
      const charge = counter.take(record, isInherited);
      if (charge === null) continue;
      spending.add(charge);
      this.#spend(charge, accountIn(counters, root, { run, charge }));
    }
    this.#countChildFailures(counters);
    const counter = counters.get(root);
    if (counter === undefined) throw new Error(`Run ${root} was counted without its journal.`);
    const { usage, costUsd } = spending.figures;
    const lastAt = records.reduce((latest, { record }) => Math.max(latest, record.at), 0);
    return { ...about, ...lifeOf(counter, { isDriven, now: this.#now, lastAt }), usage, costUsd };
  }

  #countChildFailures(counters: ReadonlyMap<string, RunCounter>): void {
    for (const [run, { childFailures }] of counters) {
      for (const [task, failure] of childFailures) {
        // The caller passes on how the child failed, unless it stopped the child for a reason of its own.
        if (counters.get(`${run}/${task}`)?.failure?.code !== failure.code) this.#tally.error(failure);
      }
    }
  }

  /** Phases are those of the root: what its children spent belongs to the phase that started them. */
  #spend(charge: OwnCharge, phase: PhaseName | null): void {
    this.#spending.add(charge);
    this.#tally.agent(charge.agent ?? '').spending.add(charge);
    this.#tally.model(charge.model ?? UNKNOWN_MODEL).spending.add(charge);
    this.#tally.day(new Date(charge.at).toISOString().slice(0, 10)).add(charge);
    if (phase === null) return;
    this.#tally.phase(phase).spending.add(charge);
    if (phase.within !== null) {
      this.#tally.phase({ workflow: phase.workflow, phase: phase.within, within: null }).spending.add(charge);
    }
  }

  view({ since = null, unreadable = [] }: Partial<Pick<MetricsView, 'since' | 'unreadable'>> = {}): MetricsView {
    const { tally, settled } = {
      tally: this.#tally,
      settled: this.#runs.filter(({ outcome }) => outcome !== null).length,
    };
    const failed = FAILED.reduce((sum, outcome) => sum + (this.#outcomes[outcome] ?? 0), 0);
    return {
      kind: 'metrics',
      since,
      until: this.#now,
      runs: this.#runs.toSorted((a, b) => b.startedAt - a.startedAt),
      unreadable,
      outcomes: this.#outcomes,
      successRate: rate(this.#outcomes.ok ?? 0, settled),
      errorRate: rate(failed, settled),
      durationMs: this.#durations.figures,
      ...tallyFigures(tally),
      ...this.#spending.figures,
    };
  }
}

function lifeOf({ workflow, outcome, clock }: RunCounter, sight: Sight) {
  const { startedAt, endedAt } = clock;
  const { workedMs: durationMs, ...apart } = timeNow(clock, sight);
  return { workflow, outcome, startedAt, endedAt, durationMs, ...apart };
}

function accountIn(
  counters: ReadonlyMap<string, RunCounter>,
  root: string,
  { run, charge }: { readonly run: string; readonly charge: OwnCharge },
): PhaseName | null {
  return counters.get(root)?.accountOf(run.slice(root.length + 1), charge) ?? null;
}

/** Records of failed calls do not always name their model. */
const UNKNOWN_MODEL = 'unknown';

const FAILED: readonly Outcome[] = ['failed', 'timeout', 'crashed'];

type TallyFigures = Pick<
  MetricsView,
  'phases' | 'days' | 'agentsSpawned' | 'minions' | 'artifacts' | 'tasks' | 'agents' | 'tools' | 'models' | 'errors'
>;

/** Most first where it is a list of how often; phases in the order in which they came, units below their state. */
function tallyFigures(tally: Tally): TallyFigures {
  return {
    phases: withUnitsBelow(
      [...tally.phases.values()].map(({ name, works, spending }) => ({
        ...name,
        ...works.figures,
        ...spending.figures,
      })),
    ),
    days: [...tally.days]
      .map(([day, spending]) => ({ day, ...spending.figures }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    agentsSpawned: tally.spawned,
    minions: tally.minions,
    artifacts: {
      total: [...tally.artifacts.values()].reduce((sum, count) => sum + count, 0),
      byType: Object.fromEntries(tally.artifacts),
    },
    tasks: tally.tasks.figures,
    agents: [...tally.agents].map(([agent, { turns, uses, spending, answered, failed }]) => ({
      agent,
      turns: turns.figures,
      calls: { answered, failed },
      tools: uses.figures,
      ...spending.figures,
    })),
    tools: [...tally.tools.values()]
      .map(({ agent, tool, uses, durations }) => ({ tool, agent, ...uses.figures, durationMs: durations.figures }))
      .toSorted((a, b) => b.calls - a.calls),
    models: [...tally.models].map(([model, { calls, durations, spending }]) => ({
      model,
      calls,
      durationMs: durations.figures,
      ...spending.figures,
    })),
    errors: [...tally.errors]
      .map(([code, { class: kind, count }]) => ({ code, class: kind, count }))
      .toSorted((a, b) => b.count - a.count),
  };
}

/** Units are over before their state is; those of one that is not over yet come last. */
function withUnitsBelow(phases: readonly PhaseFigures[]): readonly PhaseFigures[] {
  const states = phases.filter(({ within }) => within === null);
  const isBelow = (state: PhaseFigures, unit: PhaseFigures): boolean =>
    unit.workflow === state.workflow && unit.within === state.phase;
  const placed = states.flatMap((state) => [state, ...phases.filter((unit) => isBelow(state, unit))]);
  return [...placed, ...phases.filter((one) => !placed.includes(one))];
}
