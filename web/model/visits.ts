import type { Fact, JournalRecord, StateEntered, TaskEnded, TaskStarted } from '../../src/core/fact.ts';
import type { Failure, Outcome } from '../../src/core/outcome.ts';
import { advanceClock, NO_TIME, runTime, startClock, timeBetween, type WorkTime } from '../../src/core/work-clock.ts';
import { effectiveRecords } from '../../src/protocol/workflow-state/effective-records.ts';
import { incrementalFold, type Folding } from './incremental-fold.ts';
import type { RunState } from './run-tree.ts';

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
  /** Null while the run is there. */
  readonly leftAt: number | null;
  /** The run's time when it was entered, and what it took; null while the run is there. */
  readonly before: WorkTime;
  readonly time: WorkTime | null;
  readonly outcome: Outcome | null;
  readonly failure: Failure | null;
  /** What was done in it, in order of their beginning; those of its units too. */
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
  /** Where the run is, or was last. */
  readonly current: Visit | null;
}

/** The steps of a run. */
export const visitsOf = incrementalFold<Visits>((run) => new VisitFold(run));

/** How long a visit has taken by a moment; nothing is added once it was left. */
export const visitTime = ({ snapshot }: RunState, { before, time }: Visit, at: number): WorkTime =>
  time ?? timeBetween(before, runTime(snapshot.clock, at));

/** The visits of a node: of several states that are one thing, only where something was done. */
export function visitsOfStates(run: RunState, states: readonly string[]): readonly Visit[] {
  const own = visitsOf(run).list.filter(({ state }) => states.includes(state));
  const worked = own.filter(({ tasks }) => tasks.length > 0);
  return states.length === 1 || worked.length === 0 ? own : worked;
}

class VisitFold implements Folding<Visits> {
  readonly #run: string;
  readonly #list: Visit[] = [];
  /** Where each task's visit is in the list. */
  readonly #places = new Map<string, number>();
  #current = -1;
  #clock = startClock(0);
  #view: Visits | null = null;

  constructor(run: string) {
    this.#run = run;
  }

  take(record: JournalRecord, all: () => readonly JournalRecord[]): void {
    const { fact, at } = record;
    this.#clock = fact.kind === 'run.started' ? startClock(at) : advanceClock(this.#clock, record);
    const take = TAKERS[fact.kind] as Taker | undefined;
    take?.(this, fact, { record, all });
  }

  enter(fact: StateEntered, { at, seq }: JournalRecord): void {
    const { state, visit, from } = fact;
    this.#leave(this.#current, at, from === null ? {} : { outcome: from.outcome });
    const before = runTime(this.#clock, at);
    const one = { run: this.#run, state, visit, seq, from, enteredAt: at, leftAt: null, before, time: null };
    this.#current = this.#list.push({ ...one, outcome: null, failure: null, tasks: [], isUndone: false }) - 1;
    this.#view = null;
  }

  start({ task }: TaskStarted): void {
    const visit = this.#list[this.#current];
    if (visit === undefined) return;
    this.#places.set(task, this.#current);
    this.#change(this.#current, { tasks: [...visit.tasks, task] });
  }

  end({ task, failure }: TaskEnded): void {
    if (failure !== null) this.#change(this.#places.get(task) ?? -1, { failure });
  }

  settle({ outcome, failure }: Extract<Fact, { kind: 'run.settled' }>, at: number): void {
    const visit = this.#list[this.#current];
    this.#leave(this.#current, at, { outcome, failure: failure ?? visit?.failure ?? null });
  }

  /** What counts now is what counted then; the visit it stood in goes on. */
  rewind(all: readonly JournalRecord[], at: number): void {
    const counting = new Set(effectiveRecords(all).map(({ seq }) => seq));
    for (const [place, visit] of this.#list.entries()) {
      const isUndone = !counting.has(visit.seq);
      if (visit.leftAt === null) this.#leave(place, at, { isUndone });
      else this.#change(place, { isUndone });
    }
    this.#current = this.#list.findLastIndex(({ isUndone }) => !isUndone);
    const before = timeBetween(this.#list[this.#current]?.time ?? NO_TIME, runTime(this.#clock, at));
    this.#change(this.#current, { leftAt: null, before, time: null, outcome: null, failure: null });
  }

  get view(): Visits {
    return (this.#view ??= viewOf([...this.#list], this.#list[this.#current] ?? null));
  }

  /** A fork's own time begins with it. */
  fork(): void {
    this.#change(this.#current, { before: NO_TIME });
  }

  #leave(place: number, at: number, change: Partial<Visit>): void {
    const visit = this.#list[place];
    if (visit === undefined) return;
    this.#change(place, { ...change, leftAt: at, time: timeBetween(visit.before, runTime(this.#clock, at)) });
  }

  #change(place: number, change: Partial<Visit>): void {
    const visit = this.#list[place];
    if (visit === undefined) return;
    this.#list[place] = { ...visit, ...change };
    this.#view = null;
  }
}

interface Moment {
  readonly record: JournalRecord;
  readonly all: () => readonly JournalRecord[];
}

type Taker<F extends Fact = Fact> = (fold: VisitFold, fact: F, moment: Moment) => void;

const TAKERS: { readonly [Kind in Fact['kind']]?: Taker<Extract<Fact, { readonly kind: Kind }>> } = {
  'state.entered': (fold, fact, { record }) => fold.enter(fact, record),
  'task.started': (fold, fact) => fold.start(fact),
  'task.ended': (fold, fact) => fold.end(fact),
  'run.settled': (fold, fact, { record }) => fold.settle(fact, record.at),
  'run.forked': (fold) => fold.fork(),
  'run.rewound': (fold, { state }, { record, all }) => {
    if (state !== null) fold.rewind(all(), record.at);
  },
};

function viewOf(list: readonly Visit[], current: Visit | null): Visits {
  const counting = list.filter(({ isUndone }) => !isUndone);
  return { list, counting, last: new Map(counting.map((visit) => [visit.state, visit])), current };
}
