import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import type { ResolvedWork, TaskStarted } from '../../core/record/task-fact.ts';
import type { Failure, Outcome } from '../../core/model/outcome.ts';
import { permissionQuestion } from '../../core/step/turn/permit.ts';
import { startClock } from '../../core/fold/work-clock.ts';
import type { ClockFace, RunClock, TaskClock } from '../../core/fold/run-clock.ts';
import { Rows, takeWith, type Takers } from './rows.ts';
import type { TaskBook } from './task-book.ts';

/** A piece of work on the time line. */
export interface Bar {
  readonly key: string;
  readonly run: string;
  readonly lane: LaneName;
  readonly kind: BarKind;
  readonly state: string;
  readonly visit: number;
  readonly task: string | null;
  readonly unit: string | null;
  /** The record that began it. */
  readonly seq: number;
  /** The subject besides its state: a command, a question, a workflow. */
  readonly about: string;
  /** Since when it was to be done; null where it began at once. */
  readonly queuedAt: number | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** The clock of its task, or of its run where it is a whole run; up to its end. Null for what a person does. */
  readonly clock: { readonly run: ClockFace; readonly task: TaskClock | null } | null;
  readonly outcome: Outcome | null;
  readonly failure: Failure | null;
  /** Times in which nothing was done about it. */
  readonly waits: readonly Wait[];
  readonly ticks: readonly Tick[];
  /** The run was put back to before it. */
  readonly isUndone: boolean;
}

/** `person`: the user who is asked. `engine`: work without an agent. `call`: the child run that does it. Otherwise an agent. */
export type LaneName =
  | { readonly kind: 'agent'; readonly agent: string }
  | { readonly kind: 'person' | 'engine' | 'call' };

export type BarKind = Exclude<ResolvedWork['kind'], 'pool'> | 'permission' | 'limit' | 'pause';

export interface Wait {
  readonly why: 'person' | 'retry' | 'quota' | 'slot';
  readonly from: number;
  readonly to: number | null;
}

export interface Tick {
  readonly at: number;
  readonly kind: 'retry' | 'failure' | 'nudge';
  readonly text: string;
}

/** All work of one run, in order of its beginning. A fork begins with what it did itself. */
export class BarFold {
  readonly #run: string;
  readonly #book: TaskBook;
  readonly #rows = new Rows<Bar>();
  /** By task or question: its newest bar. */
  readonly #places = new Map<string, number>();
  /** By pool and unit: since when it is known. */
  readonly #queued = new Map<string, number>();
  /** By pool and unit: its task. */
  readonly #unitTasks = new Map<string, string>();
  #clock = startClock(0);

  constructor(run: string, book: TaskBook) {
    this.#run = run;
    this.#book = book;
  }

  take(record: JournalRecord): void {
    const before = this.#clock;
    this.#clock = this.#book.clock;
    takeWith(TAKERS, this, record);
    if (this.#clock !== before) this.#keepTime(before);
  }

  get view(): readonly Bar[] {
    return this.#rows.list;
  }

  /** Only bars whose own time runs differently from now on are other bars. */
  #keepTime(before: RunClock): void {
    const isMoved = before.pausedMs !== this.#clock.pausedMs || before.still !== this.#clock.still;
    for (const task of this.#clock.tasks) {
      const bar = this.#barOf(task.id);
      if (bar?.endedAt !== null || bar.lane.kind === 'person') continue;
      if (isMoved || bar.clock?.task !== task) this.#change(task.id, { clock: { run: this.#clock, task } });
    }
  }

  start({ task, work, unit, pool, state }: TaskStarted, { at, seq }: JournalRecord): void {
    const lane = laneOf(work);
    if (lane === null || work.kind === 'pool') return;
    const unitKey = `${pool} ${unit}`;
    if (unit !== null) this.#unitTasks.set(unitKey, task);
    const since = this.#queued.get(unitKey) ?? at;
    this.#add(task, {
      ...this.#begun({ task, unit, seq, at }),
      lane,
      kind: work.kind,
      state,
      about: aboutOf(work),
      queuedAt: since < at ? since : null,
    });
  }

  /** A person's lane has what is not a task too. */
  ask(id: string, asked: Pick<Bar, 'kind' | 'about' | 'task'>, { at, seq }: JournalRecord): void {
    this.#add(id, { ...this.#begun({ task: asked.task, unit: null, seq, at }), lane: { kind: 'person' }, ...asked });
  }

  end(id: string, at: number, result: Partial<Pick<Bar, 'outcome' | 'failure'>> = {}): void {
    const bar = this.#barOf(id);
    if (bar !== undefined) this.#change(id, { ...result, endedAt: bar.endedAt ?? at, waits: closed(bar.waits, at) });
  }

  wait(id: string, wait: Wait): void {
    this.#change(id, { waits: [...closed(this.#barOf(id)?.waits ?? [], wait.from), wait] });
  }

  goOn(id: string, at: number): void {
    const { waits = [] } = this.#barOf(id) ?? {};
    if (waits.some(({ to }) => to === null)) this.#change(id, { waits: closed(waits, at) });
  }

  tick(id: string, tick: Tick): void {
    this.#change(id, { ticks: [...(this.#barOf(id)?.ticks ?? []), tick] });
  }

  queue(pool: string, unit: string, at: number): void {
    this.#queued.set(`${pool} ${unit}`, at);
  }

  taskOf(pool: string, unit: string): string {
    return this.#unitTasks.get(`${pool} ${unit}`) ?? '';
  }

  endAll(at: number, kind?: BarKind): void {
    for (const id of this.#places.keys()) {
      const bar = this.#barOf(id);
      if (bar?.endedAt === null && (kind === undefined || bar.kind === kind)) this.end(id, at);
    }
  }

  /** Its own time begins now; work in progress continues. */
  fork(at: number): void {
    const open = [...this.#places].toSorted(([, a], [, b]) => a - b).map(([id]) => [id, this.#barOf(id)] as const);
    this.#rows.clear();
    this.#places.clear();
    for (const [id, bar] of open) if (bar?.endedAt === null) this.#add(id, { ...bar, ...AFRESH, startedAt: at });
  }

  /** Nothing is removed: bars that no longer count are marked, and work in progress at that record begins again now. */
  rewind({ state }: Extract<Fact, { kind: 'run.rewound' }>, { at, seq }: JournalRecord): void {
    if (state === null) return;
    const { lineage } = this.#book;
    this.endAll(at);
    this.#rows.changeAll((bar) => ({ isUndone: !lineage.counts(bar.seq) }));
    for (const task of Object.keys(state.tasks)) {
      const bar = this.#barOf(task);
      if (bar !== undefined) this.#add(task, { ...bar, ...AFRESH, key: `${bar.key}@${seq}`, startedAt: at });
    }
  }

  #barOf(id: string): Bar | undefined {
    return this.#rows.at(this.#places.get(id));
  }

  #change(id: string, change: Partial<Bar>): void {
    this.#rows.change(this.#places.get(id), change);
  }

  #begun({
    at,
    ...begun
  }: Pick<Bar, 'task' | 'unit' | 'seq'> & { readonly at: number }): Omit<Bar, 'lane' | 'kind' | 'about'> {
    return { ...AFRESH, key: `${this.#run} ${begun.seq}`, run: this.#run, ...this.#book.step, ...begun, startedAt: at };
  }

  #add(id: string, bar: Bar): void {
    this.#places.set(id, this.#rows.add(bar));
  }
}

const AFRESH = {
  queuedAt: null,
  endedAt: null,
  clock: null,
  outcome: null,
  failure: null,
  waits: [],
  ticks: [],
  isUndone: false,
} as const;

const closed = (waits: readonly Wait[], at: number): readonly Wait[] =>
  waits.map((wait) => (wait.to === null ? { ...wait, to: at } : wait));

/** Null for work that takes no time. */
function laneOf(work: ResolvedWork): LaneName | null {
  switch (work.kind) {
    case 'turn':
      return { kind: 'agent', agent: work.agent };
    case 'ask':
      return { kind: 'person' };
    case 'call':
      return { kind: 'call' };
    case 'pool':
    case 'tell':
    case 'clear':
      return null;
    default:
      return { kind: 'engine' };
  }
}

function aboutOf(work: ResolvedWork): string {
  switch (work.kind) {
    case 'command':
      return work.builtin ?? work.command;
    case 'ask':
      return work.question;
    case 'call':
      return work.workflow;
    case 'compute':
      return work.program;
    case 'merge':
      return `merge ${work.unit ?? work.agent ?? 'home'}`;
    default:
      return '';
  }
}

const TAKERS: Takers<BarFold> = {
  'task.started': (fold, fact, record) => fold.start(fact, record),
  'task.ended': (fold, { task, outcome, failure }, { at }) => fold.end(task, at, { outcome, failure }),
  'units.added': (fold, { task, units }, { at }) => units.forEach(({ id }) => fold.queue(task, id, at)),
  'unit.moved': (fold, { task, unit, to }, { at }) => {
    const id = fold.taskOf(task, unit);
    if (to === 'running') fold.goOn(id, at);
    else if (to === 'returning') fold.wait(id, { why: 'slot', from: at, to: null });
  },
  'call.failed': (fold, { task, failure, retryAt }, { at }) => {
    fold.tick(task, { at, kind: 'failure', text: `${failure.code}: ${failure.message}` });
    if (retryAt !== null) fold.wait(task, { why: failure.class === 'quota' ? 'quota' : 'retry', from: at, to: null });
  },
  'call.retried': (fold, { task, attempt }, { at }) => {
    fold.goOn(task, at);
    fold.tick(task, { at, kind: 'retry', text: `Tried again, attempt ${attempt}` });
  },
  'turn.nudged': (fold, { task, text }, { at }) => fold.tick(task, { at, kind: 'nudge', text }),
  'permission.asked': (fold, { task, toolCall }, record) => {
    fold.wait(task, { why: 'person', from: record.at, to: null });
    fold.ask(permissionQuestion(task, toolCall), { kind: 'permission', about: 'may it use a tool', task }, record);
  },
  'permission.settled': (fold, { task, toolCall, isAllowed }, { at }) => {
    fold.goOn(task, at);
    fold.end(permissionQuestion(task, toolCall), at, { outcome: isAllowed ? 'ok' : 'blocked' });
  },
  'limit.reached': (fold, { limit, isOfParent }, record) => {
    if (isOfParent !== true) fold.ask('limit', { kind: 'limit', about: limit, task: null }, record);
  },
  'limit.raised': (fold, _fact, { at }) => fold.endAll(at, 'limit'),
  'run.paused': (fold, { reason }, record) => fold.ask('pause', { kind: 'pause', about: reason, task: null }, record),
  'run.continued': (fold, _fact, { at }) => fold.endAll(at, 'pause'),
  'run.stopping': (fold, _fact, { at }) => {
    fold.endAll(at, 'limit');
    fold.endAll(at, 'pause');
  },
  'run.settled': (fold, _fact, { at }) => fold.endAll(at),
  'run.forked': (fold, _fact, { at }) => fold.fork(at),
  'run.rewound': (fold, fact, record) => fold.rewind(fact, record),
};
