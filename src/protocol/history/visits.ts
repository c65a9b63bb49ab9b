import type { JournalRecord, StateEntered } from '../../core/record/fact.ts';
import type { TaskEnded, TaskStarted } from '../../core/record/task-fact.ts';
import type { Failure, Outcome } from '../../core/model/outcome.ts';
import { NO_TIME, timeBetween, type WorkTime } from '../../core/fold/work-clock.ts';
import { Rows, takeWith, type Takers } from './rows.ts';
import type { TaskBook } from './task-book.ts';

/** One stay of a run in a state: the step of a run that people select. */
export interface Visit {
  readonly run: string;
  readonly state: string;
  /** From 1, as the journal counts. */
  readonly visit: number;
  /** The record with which it was entered: a key that no other visit has, also after the run was put back. */
  readonly seq: number;
  readonly from: StateEntered['from'];
  readonly enteredAt: number;
  /** Null while the run is in it. */
  readonly leftAt: number | null;
  /** The run's time on entry, and the time it took; null while the run is in it. */
  readonly before: WorkTime;
  readonly time: WorkTime | null;
  readonly outcome: Outcome | null;
  readonly failure: Failure | null;
  /** Its tasks and those of its units, in the order of their start. */
  readonly tasks: readonly string[];
  /** The run was put back to before it. */
  readonly isUndone: boolean;
}

export interface Visits {
  /** In order. */
  readonly list: readonly Visit[];
  /** Without those that were undone. */
  readonly counting: readonly Visit[];
  /** The newest of each state that was not undone. */
  readonly last: ReadonlyMap<string, Visit>;
  /** The run's current or last visit. */
  readonly current: Visit | null;
}

export class VisitFold {
  readonly #run: string;
  readonly #book: TaskBook;
  readonly #rows = new Rows<Visit>();
  /** By task. */
  readonly #places = new Map<string, number>();
  #current = -1;
  #view: Visits | null = null;

  constructor(run: string, book: TaskBook) {
    this.#run = run;
    this.#book = book;
  }

  take(record: JournalRecord): void {
    takeWith(TAKERS, this, record);
  }

  get view(): Visits {
    const { list } = this.#rows;
    if (this.#view?.list === list) return this.#view;
    const counting = list.filter(({ isUndone }) => !isUndone);
    const last = new Map(counting.map((visit) => [visit.state, visit]));
    return (this.#view = { list, counting, last, current: list[this.#current] ?? null });
  }

  enter({ state, visit, from }: StateEntered, { at, seq }: JournalRecord): void {
    this.leave(at, from === null ? {} : { outcome: from.outcome });
    const before = this.#book.time;
    const one = { run: this.#run, state, visit, seq, from, enteredAt: at, leftAt: null, before, time: null };
    this.#current = this.#rows.add({ ...one, outcome: null, failure: null, tasks: [], isUndone: false });
  }

  start({ task }: TaskStarted): void {
    const { tasks } = this.#rows.at(this.#current) ?? {};
    if (tasks === undefined) return;
    this.#places.set(task, this.#current);
    this.#rows.change(this.#current, { tasks: [...tasks, task] });
  }

  end({ task, failure }: TaskEnded): void {
    if (failure !== null) this.#rows.change(this.#places.get(task), { failure });
  }

  leave(at: number, change: Partial<Visit>): void {
    this.#rows.change(this.#current, { ...change, ...this.#leftAt(this.#rows.at(this.#current), at) });
  }

  get failure(): Failure | null {
    return this.#rows.at(this.#current)?.failure ?? null;
  }

  /** Restores the visits that counted at that record; the visit in progress then continues. */
  rewind(at: number): void {
    const { lineage, time } = this.#book;
    this.#rows.changeAll((visit) => ({
      isUndone: !lineage.counts(visit.seq),
      ...(visit.leftAt === null ? this.#leftAt(visit, at) : {}),
    }));
    this.#current = this.#rows.list.findLastIndex(({ isUndone }) => !isUndone);
    const before = timeBetween(this.#rows.at(this.#current)?.time ?? NO_TIME, time);
    this.#rows.change(this.#current, { leftAt: null, before, time: null, outcome: null, failure: null });
  }

  /** A fork's own time begins with it. */
  fork(): void {
    this.#rows.change(this.#current, { before: NO_TIME });
  }

  #leftAt(visit: Visit | undefined, at: number): Pick<Visit, 'leftAt' | 'time'> {
    return { leftAt: at, time: timeBetween(visit?.before ?? NO_TIME, this.#book.time) };
  }
}

const TAKERS: Takers<VisitFold> = {
  'state.entered': (fold, fact, record) => fold.enter(fact, record),
  'task.started': (fold, fact) => fold.start(fact),
  'task.ended': (fold, fact) => fold.end(fact),
  'run.settled': (fold, { outcome, failure }, { at }) => fold.leave(at, { outcome, failure: failure ?? fold.failure }),
  'run.forked': (fold) => fold.fork(),
  'run.rewound': (fold, { state }, { at }) => {
    if (state !== null) fold.rewind(at);
  },
};
