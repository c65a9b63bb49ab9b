import type { Fact, JournalRecord } from '../../src/core/fact.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { effectiveRecords } from '../../src/protocol/workflow-state/effective-records.ts';
import { NO_RUN, outcomeStatus } from './graph-state.ts';
import { incrementalFold, type Folding } from './incremental-fold.ts';
import type { RunTree } from './run-tree.ts';

/** How a unit of a pool stands. */
export interface UnitMark {
  readonly status: 'unvisited' | 'queued' | 'active' | 'resting' | 'ok' | 'partial' | 'bad' | 'left';
  readonly outcome: Outcome | null;
  /** Why it ended without having begun. */
  readonly reason: string | null;
  /** The task that does it; its child run, where it calls one, is named so. */
  readonly task: string | null;
  /** Who does it, where an agent does. */
  readonly agent: string | null;
}

const UNKNOWN_UNIT: UnitMark = { status: 'unvisited', outcome: null, reason: null, task: null, agent: null };

export interface UnitPlace {
  readonly run: string | null;
  readonly state: string;
  readonly unit: string;
}

export function unitMark(tree: RunTree, { run, state, unit }: UnitPlace): UnitMark {
  const known = tree.runs.get(run ?? NO_RUN);
  return known === undefined ? UNKNOWN_UNIT : (unitsOf(known).get(state)?.get(unit) ?? UNKNOWN_UNIT);
}

/** The units of the newest visit of each pool, by state and id, in order. */
export const unitsOf = incrementalFold<Units>(() => new UnitFold());

type Units = ReadonlyMap<string, ReadonlyMap<string, UnitMark>>;

class UnitFold implements Folding<Units> {
  readonly #pools = new Map<string, string>();
  readonly #tasks = new Map<string, { readonly state: string; readonly unit: string }>();
  readonly #units = new Map<string, Map<string, UnitMark>>();

  take({ fact }: JournalRecord, all: () => readonly JournalRecord[]): void {
    const take = TAKERS[fact.kind] as Taker | undefined;
    take?.(this, fact, all);
  }

  get view(): Units {
    return this.#units;
  }

  start({ task, state, unit, work }: Extract<Fact, { kind: 'task.started' }>): void {
    if (work.kind === 'pool') {
      this.#pools.set(task, state);
      this.#units.set(state, new Map());
    }
    if (unit === null) return;
    this.#tasks.set(task, { state, unit });
    const agent = work.kind === 'turn' ? work.agent : null;
    this.#mark(state, unit, { status: 'active', task, agent, outcome: null, reason: null });
  }

  end({ task, outcome, failure }: Extract<Fact, { kind: 'task.ended' }>): void {
    const known = this.#tasks.get(task);
    if (known !== undefined) this.#over(known, outcome, failure?.message ?? null);
  }

  add({ task, units }: Extract<Fact, { kind: 'units.added' }>): void {
    const state = this.#pools.get(task);
    if (state !== undefined) for (const { id } of units) this.#mark(state, id, { status: 'queued' });
  }

  move({ task, unit, to }: Extract<Fact, { kind: 'unit.moved' }>): void {
    const state = this.#pools.get(task);
    if (state !== undefined) this.#mark(state, unit, { status: to === 'running' ? 'active' : 'resting' });
  }

  drop({ task, unit, outcome, reason }: Extract<Fact, { kind: 'unit.ended' }>): void {
    const state = this.#pools.get(task);
    if (state !== undefined) this.#over({ state, unit }, outcome, reason);
  }

  /** Whatever has not ended by then does not go on. */
  settle(): void {
    for (const [state, units] of this.#units) {
      for (const [unit, { status }] of units) if (status !== 'queued' && !isOver(status)) this.#mark(state, unit, LEFT);
    }
  }

  /** The newest visit of a pool may have been undone with its units; then the one before counts again, or none. */
  rewind({ state }: Extract<Fact, { kind: 'run.rewound' }>, all: readonly JournalRecord[]): void {
    if (state === null) return;
    for (const known of [this.#pools, this.#tasks, this.#units]) known.clear();
    for (const record of effectiveRecords(all)) if (record.fact.kind !== 'run.rewound') this.take(record, () => []);
    for (const pool of Object.values(state.tasks)) {
      if (pool.units === null) continue;
      const marks = pool.units.map(({ id, status, outcome, reason }): [string, UnitMark] => {
        const now = status === 'ended' ? endStatus(outcome) : UNIT_STATUS[status];
        return [id, { ...(this.#units.get(pool.state)?.get(id) ?? UNKNOWN_UNIT), status: now, outcome, reason }];
      });
      this.#units.set(pool.state, new Map(marks));
    }
  }

  #over(
    { state, unit }: { readonly state: string; readonly unit: string },
    outcome: Outcome,
    reason: string | null,
  ): void {
    this.#mark(state, unit, { status: endStatus(outcome), outcome, reason });
  }

  #mark(state: string, unit: string, change: Partial<UnitMark>): void {
    const units = this.#units.get(state) ?? new Map<string, UnitMark>();
    this.#units.set(state, units);
    units.set(unit, { ...(units.get(unit) ?? UNKNOWN_UNIT), ...change });
  }
}

const LEFT = { status: 'left' } as const;
const UNIT_STATUS = { waiting: 'queued', running: 'active', resting: 'resting', returning: 'resting' } as const;

const endStatus = (outcome: Outcome | null): UnitMark['status'] => {
  const status = outcomeStatus(outcome);
  return status === 'ok' || status === 'partial' || status === 'bad' ? status : 'left';
};

const isOver = (status: UnitMark['status']): boolean =>
  status !== 'active' && status !== 'resting' && status !== 'queued';

type Taker<F extends Fact = Fact> = (fold: UnitFold, fact: F, all: () => readonly JournalRecord[]) => void;

const TAKERS: { readonly [Kind in Fact['kind']]?: Taker<Extract<Fact, { readonly kind: Kind }>> } = {
  'task.started': (fold, fact) => fold.start(fact),
  'task.ended': (fold, fact) => fold.end(fact),
  'units.added': (fold, fact) => fold.add(fact),
  'unit.moved': (fold, fact) => fold.move(fact),
  'unit.ended': (fold, fact) => fold.drop(fact),
  'run.settled': (fold) => fold.settle(),
  'run.rewound': (fold, fact, all) => fold.rewind(fact, all()),
};
