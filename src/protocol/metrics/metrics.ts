import type { Outcome } from '../../core/model/outcome.ts';
import { Figure, rate, Spending } from './counters.ts';
import { countTree, type CountedRecord, type TreeFigures } from './count-tree.ts';
import type { MetricsView, PhaseFigures, RunFigures } from './metrics-view.ts';
import { Tally } from './tally.ts';

/** The part of a run's figures that the journal's list provides. */
export type RunAbout = Pick<RunFigures, 'run' | 'title' | 'project' | 'status' | 'driven' | 'result'>;

/** The records of a run that a person started and of all below it, runs above before those below. */
export interface CountedRun extends RunAbout {
  readonly records: readonly CountedRecord[];
}

/** Counts runs; a fold of their records. */
export class Metrics {
  readonly #tally = new Tally();
  readonly #whole = new Figure();
  readonly #runs: RunFigures[] = [];
  readonly #now: number;

  /** `now`: until when what is not over has lasted. */
  constructor(now: number) {
    this.#now = now;
  }

  add({ records, ...about }: CountedRun): void {
    this.addTree(about, countTree(about.run, records, { isDriven: about.driven, now: this.#now }));
  }

  addTree(about: RunAbout, { life, spending, tally }: TreeFigures): void {
    this.#tally.take(tally);
    this.#whole.spending.take(spending);
    const own = new Spending();
    own.take(spending);
    const { usage, costUsd } = own.figures;
    this.#runs.push({ ...about, ...life, usage, costUsd });
    if (life.endedAt !== null) this.#whole.add(null, life.durationMs);
    if (life.outcome !== null) this.#whole.count(life.outcome);
  }

  view({ since = null, unreadable = [] }: Partial<Pick<MetricsView, 'since' | 'unreadable'>> = {}): MetricsView {
    const { outcomes, durationMs, spending } = this.#whole;
    const settled = this.#runs.filter(({ outcome }) => outcome !== null).length;
    const failed = FAILED.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);
    return {
      kind: 'metrics',
      since,
      until: this.#now,
      runs: this.#runs.toSorted((a, b) => b.startedAt - a.startedAt),
      unreadable,
      outcomes,
      successRate: rate(outcomes.ok ?? 0, settled),
      errorRate: rate(failed, settled),
      durationMs,
      ...tallyFigures(this.#tally),
      ...spending.figures,
    };
  }
}

const FAILED: readonly Outcome[] = ['failed', 'timeout', 'crashed'];

type TallyFigures = Pick<
  MetricsView,
  'phases' | 'days' | 'agentsSpawned' | 'minions' | 'artifacts' | 'tasks' | 'agents' | 'tools' | 'models' | 'errors'
>;

/** Frequency lists start with the most frequent; phases are in order, units below their state. */
function tallyFigures(tally: Tally): TallyFigures {
  const artifacts = tally.list('artifacts', (figure, [type = '']) => [type, figure.countOf('all')] as const);
  const spawned = tally.of('spawned');
  return {
    phases: withUnitsBelow(
      tally.list('phases', ({ works, spending }, [workflow = '', phase = '', within = null]) => ({
        workflow,
        phase,
        within,
        ...works,
        ...spending.figures,
      })),
    ),
    days: tally
      .list('days', ({ spending }, [day = '']) => ({ day, ...spending.figures }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    agentsSpawned: spawned.countOf('agents'),
    minions: spawned.countOf('minions'),
    artifacts: {
      total: artifacts.reduce((sum, [, count]) => sum + count, 0),
      byType: Object.fromEntries(artifacts),
    },
    tasks: tally.of('tasks').works,
    agents: tally.list('agents', ({ works, spending }, [agent = '']) => {
      const calls = tally.of('calls', agent);
      return {
        agent,
        turns: works,
        calls: { answered: calls.countOf('answered'), failed: calls.countOf('failed') },
        tools: tally.of('uses', agent).uses,
        ...spending.figures,
      };
    }),
    tools: tally
      .list('tools', ({ uses, durationMs }, [agent = '', tool = '']) => ({ tool, agent, ...uses, durationMs }))
      .toSorted((a, b) => b.calls - a.calls),
    models: tally.list('models', ({ works, spending }, [model = '']) => ({
      model,
      calls: works.count,
      durationMs: works.durationMs,
      ...spending.figures,
    })),
    errors: tally
      .list('errors', (figure, [code = '', kind = '']) => ({ code, class: kind, count: figure.countOf('all') }))
      .toSorted((a, b) => b.count - a.count),
  };
}

/** Units end before their state does; units of a state in progress come last. */
function withUnitsBelow(phases: readonly PhaseFigures[]): readonly PhaseFigures[] {
  const states = phases.filter(({ within }) => within === null);
  const isBelow = (state: PhaseFigures, unit: PhaseFigures): boolean =>
    unit.workflow === state.workflow && unit.within === state.phase;
  const placed = states.flatMap((state) => [state, ...phases.filter((unit) => isBelow(state, unit))]);
  return [...placed, ...phases.filter((one) => !placed.includes(one))];
}
