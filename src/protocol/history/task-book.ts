import type { Activity } from '../../core/record/agent-fact.ts';
import { chargeOf, type OwnCharge } from '../../core/record/charge.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import type { ToolFinished } from '../../core/record/call-fact.ts';
import type { ResolvedWork } from '../../core/record/task-fact.ts';
import type { TaskId } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import { advanceClock, runTime, startClock, taskTime, type WorkTime } from '../../core/fold/work-clock.ts';
import type { RunClock } from '../../core/fold/run-clock.ts';
import { calledFile } from '../tool-words.ts';
import { unitName } from '../unit-name.ts';
import { Lineage } from './lineage.ts';
import { takeWith, type Takers } from './rows.ts';

/** A task as later records name it, by its id only. */
export interface KnownTask {
  readonly id: TaskId;
  /** Without the input. */
  readonly work: ResolvedWork;
  /** The agent whose work it is; null for what the engine does. */
  readonly agent: string | null;
  readonly state: string;
  readonly visit: number;
  readonly pool: TaskId | null;
  readonly unitId: string | null;
  /** The unit as people know it. */
  readonly unit: string | null;
  /** The record that started it. */
  readonly seq: number;
  /** How long it took, once it has ended. */
  readonly time: WorkTime | null;
  /** When the model call under way was begun. */
  readonly callAt: number;
}

/** A tool call that an agent made. */
export interface KnownCall {
  readonly name: string;
  readonly file: string | null;
  /** Null once it is over: they can be as long as a file. */
  readonly arguments: Json;
}

/** Something a client did by itself, with all that was reported about it. */
export interface KnownActivity {
  readonly task: TaskId;
  readonly item: Activity;
  readonly startedAt: number;
  /** The record that first reported it. */
  readonly seq: number;
}

/**
 * Who does what in one run, learnt record by record: the part of its history that all folds need. It forgets nothing, because
 * a run that was put back may go on with a task that had ended.
 */
export class TaskBook {
  readonly lineage = new Lineage();
  readonly tasks = new Map<TaskId, KnownTask>();
  /** When each agent was first given work. */
  firstSeen: ReadonlyMap<string, number> = new Map();
  /** The run's current state. */
  step = { state: '', visit: 0 };
  workflow = '';
  /** The run is a turn of the run above, whose records say how it ended. */
  isApart = false;
  clock: RunClock = startClock(0);
  /** Cost of the last record for this run alone: child runs have their own journals. */
  charge: OwnCharge | null = null;
  /** Client activities that the last record started and ended. */
  begun: readonly KnownActivity[] = [];
  ended: readonly KnownActivity[] = [];
  readonly #calls = new Map<string, KnownCall>();
  readonly #activities = new Map<string, KnownActivity>();
  /** Tools that clients used, as `task name`. */
  readonly #byName = new Set<string>();
  /** By pool and id. */
  readonly #unitNames = new Map<string, string>();
  /** The call that the last record ended. */
  #over: string | null = null;
  #at = 0;

  take(record: JournalRecord): void {
    const { fact, at } = record;
    this.#forgetArguments();
    this.begun = [];
    this.ended = [];
    this.#at = at;
    if (fact.kind === 'task.ended') this.change(fact.task, { time: taskTime(this.clock, fact.task, at) });
    this.clock = fact.kind === 'run.started' ? startClock(at) : advanceClock(this.clock, record);
    this.lineage.take(record);
    takeWith(TAKERS, this, record);
    this.charge = this.#chargeOf(record);
  }

  /** The run's time until the last record; a fork begins where it was forked. */
  get time(): WorkTime {
    return runTime(this.clock, this.#at);
  }

  task(id: string | null): KnownTask | undefined {
    return id === null ? undefined : this.tasks.get(id as TaskId);
  }

  /** The agent whose turn it is; null for any other work. */
  turnAgent(id: string | null): string | null {
    const work = this.task(id)?.work;
    return work?.kind === 'turn' ? work.agent : null;
  }

  /** A tool call that an agent made in a turn. */
  toolCall(task: TaskId, id: string): KnownCall | undefined {
    return this.#calls.get(`${task} ${id}`);
  }

  /** A client's structured reply is reported twice: among what it did, and when the engine had looked at it. */
  wasReported({ task, toolCall }: ToolFinished): boolean {
    return this.#byName.has(`${task} ${this.toolCall(task, toolCall)?.name ?? ''}`);
  }

  activity(task: TaskId, id: string): KnownActivity | undefined {
    return this.#activities.get(`${task} ${id}`);
  }

  change(id: TaskId, change: Partial<KnownTask>): void {
    const task = this.tasks.get(id);
    if (task !== undefined) this.tasks.set(id, { ...task, ...change });
  }

  unitName(pool: string | null, id: string | null): string | null {
    return id === null ? null : (this.#unitNames.get(`${pool} ${id}`) ?? id);
  }

  nameUnit(pool: string, id: string, name: string): void {
    this.#unitNames.set(`${pool} ${id}`, name);
  }

  start(task: KnownTask, at: number): void {
    const { id, agent } = task;
    this.tasks.set(id, task);
    if (agent !== null && !this.firstSeen.has(agent)) this.firstSeen = new Map(this.firstSeen).set(agent, at);
  }

  ask(task: TaskId, id: string, call: KnownCall): void {
    this.#calls.set(`${task} ${id}`, call);
  }

  finish({ task, toolCall }: ToolFinished): void {
    this.#over = `${task} ${toolCall}`;
  }

  follow(task: TaskId, items: readonly Activity[], { seq, at }: JournalRecord): void {
    for (const item of items) {
      const before = this.activity(task, item.id);
      const { startedAt, seq: first } = before ?? { startedAt: at, seq };
      const known = { task, item: { ...before?.item, ...item }, startedAt, seq: first };
      this.#activities.set(`${task} ${item.id}`, known);
      if (item.kind === 'tool') this.#byName.add(`${task} ${item.name}`);
      if (before === undefined) this.begun = [...this.begun, known];
      if (item.status !== 'running' && (before?.item.status ?? 'running') === 'running')
        this.ended = [...this.ended, known];
    }
  }

  #chargeOf({ fact, at }: JournalRecord): OwnCharge | null {
    const charge = chargeOf(fact);
    if (charge === null || charge.isOfChild) return null;
    const { state, unit } = this.task(charge.task) ?? { state: '', unit: null };
    return { ...charge, agent: this.turnAgent(charge.task), state, unit, at };
  }

  #forgetArguments(): void {
    const call = this.#over === null ? undefined : this.#calls.get(this.#over);
    if (this.#over !== null && call !== undefined) this.#calls.set(this.#over, { ...call, arguments: null });
    this.#over = null;
  }
}

const TAKERS: Takers<TaskBook> = {
  'run.started': (book, { workflow, apart }) => {
    book.workflow = workflow;
    book.isApart = apart !== undefined;
  },
  'state.entered': (book, { state, visit }) => void (book.step = { state, visit }),
  'run.rewound': (book, { state }) => {
    if (state !== null) book.step = { state: state.current.state, visit: state.visits[state.current.state] ?? 1 };
  },
  'task.started': (book, { task, work, state, pool, unit }, { seq, at }) =>
    book.start(
      {
        id: task,
        work: withoutInput(work),
        agent: 'agent' in work ? work.agent : null,
        state,
        visit: book.step.visit,
        pool,
        unitId: unit,
        unit: book.unitName(pool, unit),
        seq,
        time: null,
        callAt: at,
      },
      at,
    ),
  'call.started': (book, { task }, { at }) => book.change(task, { callAt: at }),
  'call.retried': (book, { task }, { at }) => book.change(task, { callAt: at }),
  'call.answered': (book, { task, message }) => {
    for (const { id, name, arguments: given } of message.toolCalls ?? [])
      book.ask(task, id, { name, file: calledFile(given), arguments: given });
  },
  'tool.finished': (book, fact) => book.finish(fact),
  'activity.noted': (book, { task, items }, record) => book.follow(task, items, record),
  'units.added': (book, { task, units }) => {
    for (const unit of units) book.nameUnit(task, unit.id, unitName(unit));
  },
};

/** The input can be long, and no fold needs it here. */
function withoutInput(work: ResolvedWork): ResolvedWork {
  if (work.kind === 'turn') return { ...work, input: null };
  return work.kind === 'call' ? { ...work, input: {} } : work;
}
