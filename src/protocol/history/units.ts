import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import type { TaskEnded, TaskStarted, UnitsAdded } from '../../core/record/task-fact.ts';
import type { Json } from '../../core/model/json.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import { takeWith, type Takers } from './rows.ts';
import type { TaskBook } from './task-book.ts';

/** How a unit of a pool stands. */
export interface UnitMark {
  readonly status: 'unvisited' | 'queued' | 'active' | 'resting' | 'ok' | 'partial' | 'bad' | 'left';
  readonly outcome: Outcome | null;
  /** Why it ended without having begun. */
  readonly reason: string | null;
  /** The task that does it; its child run, where it calls one, is named so. */
  readonly task: string | null;
  /** Null where no agent does the work. */
  readonly agent: string | null;
  readonly after: readonly string[];
  readonly item: Json;
}

export const UNKNOWN_UNIT: UnitMark = {
  status: 'unvisited',
  outcome: null,
  reason: null,
  task: null,
  agent: null,
  after: [],
  item: null,
};

/** The units of the newest visit of each pool, by state and id, in order. */
export type Units = ReadonlyMap<string, ReadonlyMap<string, UnitMark>>;

interface Pool {
  readonly state: string;
  readonly seq: number;
  readonly units: Map<string, UnitMark>;
}

export class UnitFold {
  readonly #book: TaskBook;
  readonly #pools = new Map<string, Pool>();
  #view: Units | null = null;

  constructor(book: TaskBook) {
    this.#book = book;
  }

  take(record: JournalRecord): void {
    takeWith(TAKERS, this, record);
  }

  /** The newest visit of a pool may have been undone with its units; then the one before counts again, or none. */
  get view(): Units {
    return (this.#view ??= new Map(
      [...this.#pools.values()]
        .filter(({ seq }) => this.#book.lineage.counts(seq))
        .map(({ state, units }) => [state, new Map(units)]),
    ));
  }

  start({ task, state, pool, unit, work }: TaskStarted, seq: number): void {
    if (work.kind === 'pool') {
      this.#pools.set(task, { state, seq, units: new Map() });
      this.#view = null;
    }
    const agent = work.kind === 'turn' ? work.agent : null;
    this.mark(pool, unit, { status: 'active', task, agent, outcome: null, reason: null });
  }

  end({ task, outcome, failure }: TaskEnded): void {
    const { pool = null, unitId = null } = this.#book.task(task) ?? {};
    this.mark(pool, unitId, { status: outcomeStatus(outcome), outcome, reason: failure?.message ?? null });
  }

  add({ task, units }: UnitsAdded): void {
    for (const { id, after, item } of units) this.mark(task, id, { status: 'queued', after, item });
  }

  /** Units that have not ended by now never will. */
  settle(): void {
    for (const [pool, { units }] of this.#pools)
      for (const [unit, { status }] of units)
        if (status === 'active' || status === 'resting') this.mark(pool, unit, { status: 'left' });
  }

  /** Pools that are open again have the units they had then. */
  rewind({ state }: Extract<Fact, { kind: 'run.rewound' }>): void {
    this.#view = null;
    for (const { id, state: of, units } of Object.values(state?.tasks ?? {})) {
      if (units === null) continue;
      const known = this.#pools.get(id);
      const marks = units.flat().map((unit): [string, UnitMark] => {
        const { status, outcome, reason, after, item } = unit;
        const now = status === 'ended' ? outcomeStatus(outcome) : UNIT_STATUS[status];
        return [unit.id, { ...this.#doneBy(id, unit.id), status: now, outcome, reason, after, item }];
      });
      this.#pools.set(id, { state: known?.state ?? of, seq: known?.seq ?? 0, units: new Map(marks) });
    }
  }

  #doneBy(pool: string, unit: string): Pick<UnitMark, 'task' | 'agent'> {
    const { tasks, lineage } = this.#book;
    const all = [...tasks.values()].filter(
      (one) => one.pool === pool && one.unitId === unit && lineage.counts(one.seq),
    );
    const { id = null, work } = all.at(-1) ?? {};
    return { task: id, agent: work?.kind === 'turn' ? work.agent : null };
  }

  mark(pool: string | null, unit: string | null, change: Partial<UnitMark>): void {
    const units = this.#pools.get(pool ?? '')?.units;
    if (units === undefined || unit === null) return;
    units.set(unit, { ...(units.get(unit) ?? UNKNOWN_UNIT), ...change });
    this.#view = null;
  }
}

const UNIT_STATUS = { waiting: 'queued', running: 'active', resting: 'resting', returning: 'resting' } as const;

/** Maps an outcome to the status shown. */
export function outcomeStatus(outcome: Outcome | null): 'ok' | 'partial' | 'bad' | 'left' {
  if (outcome === null) return 'left';
  if (outcome === 'ok') return 'ok';
  return outcome === 'partial' || outcome === 'skipped' ? 'partial' : 'bad';
}

const TAKERS: Takers<UnitFold> = {
  'task.started': (fold, fact, { seq }) => fold.start(fact, seq),
  'task.ended': (fold, fact) => fold.end(fact),
  'units.added': (fold, fact) => fold.add(fact),
  'unit.moved': (fold, { task, unit, to }) =>
    fold.mark(task, unit, { status: to === 'running' ? 'active' : 'resting' }),
  'unit.ended': (fold, { task, unit, outcome, reason }) =>
    fold.mark(task, unit, { status: outcomeStatus(outcome), outcome, reason }),
  'run.settled': (fold) => fold.settle(),
  'run.rewound': (fold, fact) => fold.rewind(fact),
};
