import type { Activity, ActivityNoted } from '../../core/agent-fact.ts';
import type {
  CallAnswered,
  Fact,
  JournalRecord,
  ResolvedWork,
  TaskStarted,
  ToolFinished,
  UnitsAdded,
} from '../../core/fact.ts';
import type { TaskId } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import { advanceClock, runTime, startClock, taskTime, type RunClock, type WorkTime } from '../../core/work-clock.ts';
import { calledFile } from './called-file.ts';

/** What later records of a run name only by its id. */
export interface KnownTask {
  readonly id: TaskId;
  readonly work: ResolvedWork;
  readonly state: string;
  readonly unit: string | null;
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

/** Something a client did by itself, with when it was first and last told of. */
export interface ToldActivity {
  readonly task: TaskId;
  readonly item: Activity;
  readonly startedAt: number;
  /** The record that first told of it. */
  readonly seq: number;
}

/**
 * Learns from the records of one run who does what, and forgets nothing: a run that was put back may go on with a task that
 * had ended.
 */
export class TaskBook {
  readonly #tasks = new Map<TaskId, KnownTask>();
  readonly #calls = new Map<string, KnownCall>();
  /** The call that the record before was the end of. */
  #over: string | null = null;
  readonly #activities = new Map<string, ToldActivity>();
  /** What clients did, as `task name`. */
  readonly #byName = new Set<string>();
  /** By pool and id. */
  readonly #unitNames = new Map<string, string>();
  #workflow = '';
  #state = '';
  #clock = startClock(0);
  #at = 0;
  #ended: readonly ToldActivity[] = [];

  /** The state the run is in. */
  get state(): string {
    return this.#state;
  }

  /** The run's time until the record that was learnt last; a fork begins where it was forked. */
  get time(): WorkTime {
    return runTime(this.#clock, this.#at);
  }

  get clock(): RunClock {
    return this.#clock;
  }

  get workflow(): string {
    return this.#workflow;
  }

  /** What clients were done with, by the record that was learnt last. */
  get ended(): readonly ToldActivity[] {
    return this.#ended;
  }

  learn(record: JournalRecord): void {
    const { fact, at } = record;
    this.#forgetArguments();
    this.#ended = fact.kind === 'activity.noted' ? this.#follow(fact, record) : [];
    this.#at = at;
    if (fact.kind === 'task.ended') this.#change(fact.task, { time: taskTime(this.#clock, fact.task, at) });
    this.#clock = fact.kind === 'run.started' ? startClock(at) : advanceClock(this.#clock, record);
    if (fact.kind === 'run.started') this.#workflow = fact.workflow;
    else if (fact.kind === 'state.entered') this.#state = fact.state;
    else if (fact.kind === 'run.rewound') this.#state = fact.state?.current.state ?? this.#state;
    else this.#learnTask(fact, at);
  }

  #learnTask(fact: Fact, at: number): void {
    if (fact.kind === 'task.started') this.#start(fact, at);
    else if (fact.kind === 'call.started' || fact.kind === 'call.retried') this.#change(fact.task, { callAt: at });
    else if (fact.kind === 'call.answered') this.#learnCalls(fact);
    else if (fact.kind === 'units.added') this.#learnUnits(fact);
    else if (fact.kind === 'tool.finished') this.#over = `${fact.task} ${fact.toolCall}`;
  }

  task(id: TaskId | null): KnownTask | undefined {
    return id === null ? undefined : this.#tasks.get(id);
  }

  /** A tool call that an agent made in a turn. */
  toolCall(task: TaskId, id: string): KnownCall | undefined {
    return this.#calls.get(`${task} ${id}`);
  }

  /** A client's structured reply is told twice: among what it did, and when the engine had looked at it. */
  wasTold({ task, toolCall }: ToolFinished): boolean {
    return this.#byName.has(`${task} ${this.toolCall(task, toolCall)?.name ?? ''}`);
  }

  activity(task: TaskId, id: string): ToldActivity | undefined {
    return this.#activities.get(`${task} ${id}`);
  }

  #follow({ task, items }: ActivityNoted, { seq, at }: JournalRecord): readonly ToldActivity[] {
    return items.flatMap((item) => {
      const before = this.activity(task, item.id);
      const { startedAt, seq: first } = before ?? { startedAt: at, seq };
      const told = { task, item, startedAt, seq: first };
      this.#activities.set(`${task} ${item.id}`, told);
      if (item.kind === 'tool') this.#byName.add(`${task} ${item.name}`);
      return isOver(item) && !isOver(before?.item) ? [told] : [];
    });
  }

  #start({ task, work, state, pool, unit: id }: TaskStarted, at: number): void {
    const unit = id === null ? null : (this.#unitNames.get(`${pool} ${id}`) ?? id);
    this.#tasks.set(task, { id: task, work: withoutInput(work), state, unit, time: null, callAt: at });
  }

  /** Units without an id are numbered, and a number means nothing to a reader: those of texts are called by them. */
  #learnUnits({ task, units }: UnitsAdded): void {
    for (const { id, item } of units)
      if (typeof item === 'string' && /^\d+$/.test(id)) this.#unitNames.set(`${task} ${id}`, shortLine(item));
  }

  #change(id: TaskId, change: Partial<KnownTask>): void {
    const task = this.#tasks.get(id);
    if (task !== undefined) this.#tasks.set(id, { ...task, ...change });
  }

  #learnCalls({ task, message }: CallAnswered): void {
    for (const { id, name, arguments: given } of message.toolCalls ?? [])
      this.#calls.set(`${task} ${id}`, { name, file: calledFile(given), arguments: given });
  }

  #forgetArguments(): void {
    const call = this.#over === null ? undefined : this.#calls.get(this.#over);
    if (this.#over !== null && call !== undefined) this.#calls.set(this.#over, { ...call, arguments: null });
    this.#over = null;
  }
}

const shortLine = (text: string): string => {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length <= 60 ? line : `${line.slice(0, 59).toWellFormed()}…`;
};

/** What was said can be long, and nobody asks for it here. */
function withoutInput(work: ResolvedWork): ResolvedWork {
  if (work.kind === 'turn') return { ...work, input: null };
  return work.kind === 'call' ? { ...work, input: {} } : work;
}

const isOver = (item: Activity | undefined): boolean => item !== undefined && item.status !== 'running';

/** The agent whose work a task is; null for what the engine does for nobody. */
export function agentOf(task: KnownTask | undefined): string | null {
  const work = task?.work;
  return work !== undefined && 'agent' in work ? (work.agent ?? null) : null;
}
