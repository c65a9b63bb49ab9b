import type { Fact, JournalRecord, ResolvedWork, TaskStarted } from '../../src/core/fact.ts';
import type { Failure, Outcome } from '../../src/core/outcome.ts';
import { permissionQuestion } from '../../src/core/permit.ts';
import { advanceClock, startClock, type ClockFace, type RunClock, type TaskClock } from '../../src/core/work-clock.ts';
import { effectiveRecords } from '../../src/protocol/workflow-state/effective-records.ts';
import { incrementalFold, type Folding } from './incremental-fold.ts';

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
  /** What it is about, besides its state: a command, a question, a workflow. */
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

/** `person`: whoever is asked. `engine`: what no agent does. `call`: the run below that does it. Else an agent. */
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
export const barsOf = incrementalFold<readonly Bar[]>((run) => new BarFold(run));

class BarFold implements Folding<readonly Bar[]> {
  readonly #run: string;
  #bars: Bar[] = [];
  /** By task or question: its newest bar. */
  readonly #places = new Map<string, number>();
  /** By pool and unit: since when it is known. */
  readonly #queued = new Map<string, number>();
  /** By pool and unit: its task. */
  readonly #unitTasks = new Map<string, string>();
  #state = { name: '', visit: 0 };
  #clock = startClock(0);
  #view: readonly Bar[] | null = null;

  constructor(run: string) {
    this.#run = run;
  }

  take(record: JournalRecord, all: () => readonly JournalRecord[]): void {
    const { fact, at } = record;
    const before = this.#clock;
    this.#clock = fact.kind === 'run.started' ? startClock(at) : advanceClock(before, record);
    const take = TAKERS[fact.kind] as Taker | undefined;
    take?.(this, fact, { ...record, all });
    if (this.#clock !== before) this.#keepTime(before);
  }

  /** Only bars whose own time runs differently from now on are other bars. */
  #keepTime(before: RunClock): void {
    const isMoved = before.pausedMs !== this.#clock.pausedMs || before.still !== this.#clock.still;
    for (const [id, task] of Object.entries(this.#clock.tasks)) {
      const bar = this.#bars[this.#places.get(id) ?? -1];
      if (bar?.endedAt !== null || bar.lane.kind === 'person') continue;
      if (isMoved || bar.clock?.task !== task) this.change(id, () => ({ clock: { run: this.#clock, task } }));
    }
  }

  get view(): readonly Bar[] {
    return (this.#view ??= [...this.#bars]);
  }

  enter(name: string, visit: number): void {
    this.#state = { name, visit };
  }

  start(fact: TaskStarted, { at, seq }: JournalRecord): void {
    const { task, work, unit, pool } = fact;
    const lane = laneOf(work);
    if (lane === null || work.kind === 'pool') return;
    const unitKey = `${pool} ${unit}`;
    if (unit !== null) this.#unitTasks.set(unitKey, task);
    const since = this.#queued.get(unitKey) ?? at;
    this.#add(task, {
      ...this.#begun({ task, unit, seq, at }),
      lane,
      kind: work.kind,
      state: fact.state,
      about: aboutOf(work),
      queuedAt: since < at ? since : null,
    });
  }

  /** A person's lane has what is not a task too. */
  ask(id: string, asked: Pick<Bar, 'kind' | 'about' | 'task'>, { at, seq }: JournalRecord): void {
    this.#add(id, { ...this.#begun({ task: asked.task, unit: null, seq, at }), lane: { kind: 'person' }, ...asked });
  }

  end(id: string, at: number, result: Partial<Pick<Bar, 'outcome' | 'failure'>> = {}): void {
    this.change(id, ({ waits, endedAt }) => ({ ...result, endedAt: endedAt ?? at, waits: closed(waits, at) }));
  }

  wait(id: string, wait: Wait): void {
    this.change(id, ({ waits }) => ({ waits: [...closed(waits, wait.from), wait] }));
  }

  goOn(id: string, at: number): void {
    this.change(id, ({ waits }) => (waits.some(({ to }) => to === null) ? { waits: closed(waits, at) } : {}));
  }

  tick(id: string, tick: Tick): void {
    this.change(id, ({ ticks }) => ({ ticks: [...ticks, tick] }));
  }

  queue(pool: string, unit: string, at: number): void {
    this.#queued.set(`${pool} ${unit}`, at);
  }

  taskOf(pool: string, unit: string): string {
    return this.#unitTasks.get(`${pool} ${unit}`) ?? '';
  }

  endAll(at: number, kind?: BarKind): void {
    for (const [id, place] of this.#places) {
      const bar = this.#bars[place];
      if (bar !== undefined && bar.endedAt === null && (kind === undefined || bar.kind === kind)) this.end(id, at);
    }
  }

  /** Its own time begins now; what was under way goes on. */
  fork(at: number): void {
    const before = this.#bars;
    const open = [...this.#places].toSorted(([, a], [, b]) => a - b);
    this.#bars = [];
    this.#places.clear();
    this.#view = null;
    for (const [id, place] of open) {
      const bar = before[place];
      if (bar?.endedAt === null) this.#add(id, { ...bar, ...AFRESH, startedAt: at });
    }
  }

  /** Nothing is taken out: what does not count any more is marked, and what was under way then begins again now. */
  rewind({ state }: Extract<Fact, { kind: 'run.rewound' }>, { at, seq, all }: Moment): void {
    if (state === null) return;
    const counting = new Set(effectiveRecords(all()).map((record) => record.seq));
    this.endAll(at);
    this.#bars = this.#bars.map((bar) => ({ ...bar, isUndone: !counting.has(bar.seq) }));
    this.#view = null;
    for (const task of Object.keys(state.tasks)) {
      const bar = this.#bars[this.#places.get(task) ?? -1];
      if (bar !== undefined) this.#add(task, { ...bar, ...AFRESH, key: `${bar.key}@${seq}`, startedAt: at });
    }
    this.enter(state.current.state, state.visits[state.current.state] ?? 1);
  }

  change(id: string, change: (bar: Bar) => Partial<Bar>): void {
    const place = this.#places.get(id) ?? -1;
    const bar = this.#bars[place];
    if (bar === undefined) return;
    this.#bars[place] = { ...bar, ...change(bar) };
    this.#view = null;
  }

  #begun({
    task,
    unit,
    seq,
    at,
  }: Pick<Bar, 'task' | 'unit' | 'seq'> & { readonly at: number }): Omit<Bar, 'lane' | 'kind' | 'about'> {
    const { name, visit } = this.#state;
    const key = `${this.#run} ${seq}`;
    return { ...AFRESH, key, run: this.#run, state: name, visit, task, unit, seq, startedAt: at };
  }

  #add(id: string, bar: Bar): void {
    this.#places.set(id, this.#bars.push(bar) - 1);
    this.#view = null;
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

/** What is over at once has no bar. */
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

interface Moment extends JournalRecord {
  readonly all: () => readonly JournalRecord[];
}

type Taker<F extends Fact = Fact> = (fold: BarFold, fact: F, moment: Moment) => void;

const TAKERS: { readonly [Kind in Fact['kind']]?: Taker<Extract<Fact, { readonly kind: Kind }>> } = {
  'state.entered': (fold, { state, visit }) => fold.enter(state, visit),
  'task.started': (fold, fact, moment) => fold.start(fact, moment),
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
  'permission.asked': (fold, { task, toolCall }, moment) => {
    fold.wait(task, { why: 'person', from: moment.at, to: null });
    fold.ask(permissionQuestion(task, toolCall), { kind: 'permission', about: 'may it use a tool', task }, moment);
  },
  'permission.settled': (fold, { task, toolCall, isAllowed }, { at }) => {
    fold.goOn(task, at);
    fold.end(permissionQuestion(task, toolCall), at, { outcome: isAllowed ? 'ok' : 'blocked' });
  },
  'limit.reached': (fold, { limit }, moment) => fold.ask('limit', { kind: 'limit', about: limit, task: null }, moment),
  'limit.raised': (fold, _fact, { at }) => fold.endAll(at, 'limit'),
  'run.paused': (fold, { reason }, moment) => fold.ask('pause', { kind: 'pause', about: reason, task: null }, moment),
  'run.continued': (fold, _fact, { at }) => fold.endAll(at, 'pause'),
  'run.stopping': (fold, _fact, { at }) => {
    fold.endAll(at, 'limit');
    fold.endAll(at, 'pause');
  },
  'run.settled': (fold, _fact, { at }) => fold.endAll(at),
  'run.forked': (fold, _fact, { at }) => fold.fork(at),
  'run.rewound': (fold, fact, moment) => fold.rewind(fact, moment),
};
