import type { RunClock, ClockFace, TaskClock } from './run-clock.ts';
import type { Fact, JournalRecord } from '../record/fact.ts';
import type { LimitName } from '../record/limit-fact.ts';
import type { RewoundState } from '../record/rewound-fact.ts';
import type { Task } from './snapshot.ts';
import type { TaskStarted } from '../record/task-fact.ts';

/** The clock without the tasks. */
export function faceOf({ tasks: _tasks, ...face }: RunClock): ClockFace {
  return face;
}

export interface WorkTime {
  readonly workedMs: number;
  /** Time in which everything waited for a person. */
  readonly waitedMs: number;
  readonly pausedMs: number;
}

export function startClock(at: number): RunClock {
  return { startedAt: at, endedAt: null, pausedMs: 0, still: null, waitedMs: 0, waitsSince: null, tasks: [] };
}

/** A run waits when all its work in progress does. A pool counts as its units. */
export function advanceClock(clock: RunClock, { fact, at }: Omit<JournalRecord, 'seq'>): RunClock {
  const change = CHANGES[fact.kind] as Change | undefined;
  if (change === undefined) return clock;
  const next = change(clock, fact, at);
  return withWait(next, areAllWaiting(next.tasks), movingMs(next, at));
}

function areAllWaiting(tasks: readonly TaskClock[]): boolean {
  let isAny = false;
  for (const task of tasks) {
    if (task.kind === 'pool') continue;
    if (!isWaiting(task)) return false;
    isAny = true;
  }
  return isAny;
}

export const taskClockOf = ({ tasks }: RunClock, id: string): TaskClock | undefined =>
  tasks.find((task) => task.id === id);

/** The run's time until a moment; what comes after its end does not count. */
export function runTime(clock: ClockFace, at: number): WorkTime {
  const until = Math.max(clock.startedAt, Math.min(at, clock.endedAt ?? at));
  return timeOf(clock, movingMs(clock, until), until - clock.startedAt);
}

/** An open task's time until a moment. */
export function taskTime(clock: RunClock, id: string, at: number): WorkTime {
  const task = taskClockOf(clock, id);
  return task === undefined ? NO_TIME : openTaskTime(clock, task, at);
}

export const openTaskTime = (run: ClockFace, task: TaskClock, at: number): WorkTime =>
  timeOf(task, movingMs(run, at) - task.since, at - task.startedAt);

export const NO_TIME: WorkTime = { workedMs: 0, waitedMs: 0, pausedMs: 0 };

/** From one moment of a run to a later one. */
export const timeBetween = (from: WorkTime, to: WorkTime): WorkTime => ({
  workedMs: Math.max(0, to.workedMs - from.workedMs),
  waitedMs: Math.max(0, to.waitedMs - from.waitedMs),
  pausedMs: Math.max(0, to.pausedMs - from.pausedMs),
});

export interface Sight {
  readonly isDriven: boolean;
  readonly now: number;
  /** The newest record of the run and of all runs below it. */
  readonly lastAt: number;
  /** Until then it sleeps without a process, which counts as work. */
  readonly wakesAt?: number | undefined;
}

/** The run's time as shown now: without a driver, work ends with the newest record, or when the run should have woken. */
export function timeNow(clock: ClockFace, { isDriven, now, lastAt, wakesAt = lastAt }: Sight): WorkTime {
  return runTime(clock, isDriven || isAtRest(clock) ? now : Math.max(lastAt, Math.min(now, wakesAt)));
}

/** Time passes without work: the run waits for a person, or is paused. */
export const isAtRest = ({ waitsSince, still }: ClockFace): boolean => waitsSince !== null || still !== null;

/** The run's time without its pauses. */
function movingMs({ startedAt, pausedMs, still, endedAt }: ClockFace, at: number): number {
  return Math.max(0, Math.min(at, still?.since ?? at, endedAt ?? at) - startedAt - pausedMs);
}

type Waits = Pick<TaskClock, 'waitedMs' | 'waitsSince'>;

function timeOf({ waitedMs, waitsSince }: Waits, movingFor: number, elapsedMs: number): WorkTime {
  const open = waitsSince === null ? 0 : Math.max(0, movingFor - waitsSince);
  const moving = Math.max(0, movingFor);
  const waited = Math.min(moving, waitedMs + open);
  return { workedMs: moving - waited, waitedMs: waited, pausedMs: Math.max(0, elapsedMs - moving) };
}

/** `moving`: the moment on the clock that `waitsSince` is read from. */
function withWait<Clock extends Waits>(clock: Clock, waits: boolean, moving: number): Clock {
  if (waits === (clock.waitsSince !== null)) return clock;
  if (clock.waitsSince === null) return { ...clock, waitsSince: moving };
  return { ...clock, waitsSince: null, waitedMs: clock.waitedMs + Math.max(0, moving - clock.waitsSince) };
}

function isWaiting({ kind, waitsFor, openTools }: TaskClock): boolean {
  return kind === 'ask' || (waitsFor.length > 0 && waitsFor.length >= openTools);
}

type Change<F extends Fact = Fact> = (clock: RunClock, fact: F, at: number) => RunClock;

const goOn: Change = (clock, _fact, at) => released(clock, at);

const CHANGES: { readonly [Kind in Fact['kind']]?: Change<Extract<Fact, { readonly kind: Kind }>> } = {
  'run.resumed': (clock, { downMs = 0 }) => ({ ...clock, pausedMs: clock.pausedMs + downMs }),
  'run.stopping': goOn,
  'rollback.started': goOn,
  'run.settled': (clock, _fact, at) => ({ ...released(clock, at), endedAt: at, tasks: [] }),
  'limit.reached': (clock, { limit }, at) => ({
    ...clock,
    still: { since: at, isHeld: false, ...clock.still, limit },
  }),
  'limit.raised': (clock, { limit }, at) =>
    clock.still?.limit === limit ? released(clock, at, { limit: null, isHeld: clock.still.isHeld }) : clock,
  'limit.shared': (clock, { isMore }, at) =>
    isMore === true ? released(clock, at, { limit: null, isHeld: clock.still?.isHeld ?? false }) : clock,
  'run.paused': (clock, _fact, at) => ({ ...clock, still: { since: at, limit: null, ...clock.still, isHeld: true } }),
  'run.continued': (clock, _fact, at) => released(clock, at, { limit: clock.still?.limit ?? null, isHeld: false }),
  'task.started': (clock, fact, at) => ({ ...clock, tasks: [...clock.tasks, startTask(clock, fact, at)] }),
  'task.ended': (clock, { task }) => ({ ...clock, tasks: clock.tasks.filter(({ id }) => id !== task) }),
  'call.started': (clock, { task }, at) => changeTask(clock, { task, at }, { openTools: 0, waitsFor: [] }),
  'call.failed': (clock, { task }, at) => changeTask(clock, { task, at }, { openTools: 0, waitsFor: [] }),
  'call.answered': (clock, { task, message }, at) =>
    changeTask(clock, { task, at }, { openTools: message.toolCalls?.length ?? 0, waitsFor: [] }),
  'tool.finished': (clock, { task, toolCall }, at) => waitFor(clock, { task, at, toolCall, isOpen: false }, -1),
  'permission.asked': (clock, fact, at) => waitFor(clock, { ...fact, at, isOpen: true }),
  'permission.settled': (clock, fact, at) => waitFor(clock, { ...fact, at, isOpen: false }),
  'wait.started': (clock, fact, at) => waitFor(clock, { ...fact, at, isOpen: true }),
  'wait.ended': (clock, fact, at) => waitFor(clock, { ...fact, at, isOpen: false }),
  'run.forked': forked,
  'run.rewound': (clock, { state }, at) => (state === null ? clock : rewound(clock, state, at)),
};

/** One reason for the pause is gone, or both; the run continues when none is left. */
function released(
  clock: RunClock,
  at: number,
  left: { readonly limit: LimitName | null; readonly isHeld: boolean } = { limit: null, isHeld: false },
): RunClock {
  const { still, pausedMs } = clock;
  if (still === null) return clock;
  if (left.limit !== null || left.isHeld) return { ...clock, still: { ...still, ...left } };
  return { ...clock, still: null, pausedMs: pausedMs + at - still.since };
}

function startTask(clock: RunClock, { task: id, work: { kind } }: TaskStarted, at: number): TaskClock {
  const waitsSince = kind === 'ask' ? 0 : null;
  const since = movingMs(clock, at);
  return { id, kind, startedAt: at, since, waitedMs: 0, waitsSince, openTools: 0, waitsFor: [] };
}

function changeTask(
  clock: RunClock,
  { task: id, at }: { readonly task: string; readonly at: number },
  change: Pick<TaskClock, 'openTools' | 'waitsFor'>,
): RunClock {
  const task = taskClockOf(clock, id);
  if (task === undefined) return clock;
  const next = { ...task, ...change };
  const moved = withWait(next, isWaiting(next), movingMs(clock, at) - task.since);
  return { ...clock, tasks: clock.tasks.map((one) => (one === task ? moved : one)) };
}

interface Wait {
  readonly task: string;
  readonly at: number;
  readonly toolCall?: string;
  readonly isOpen: boolean;
}

function waitFor(clock: RunClock, { task, at, toolCall = '', isOpen }: Wait, tools = 0): RunClock {
  const before = taskClockOf(clock, task);
  if (before === undefined) return clock;
  const others = before.waitsFor.filter((one) => one !== toolCall);
  const openTools = Math.max(0, before.openTools + tools);
  return changeTask(clock, { task, at }, { openTools, waitsFor: isOpen ? [...others, toolCall] : others });
}

/** A fork's clocks start with it. */
function forked({ still, endedAt, tasks }: RunClock, _fact: Fact, at: number): RunClock {
  const limit = still?.limit ?? null;
  return {
    ...startClock(at),
    endedAt: endedAt === null ? null : at,
    still: limit === null ? null : { since: at, limit, isHeld: false },
    tasks: tasks.map((task) => restarted(task, { since: 0, at })),
  };
}

const restarted = (task: TaskClock, when: { readonly since: number; readonly at: number }): TaskClock => ({
  ...task,
  startedAt: when.at,
  since: when.since,
  waitedMs: 0,
  waitsSince: isWaiting(task) ? 0 : null,
});

/** Undone work keeps its time; work in progress starts again. The time after an end counts as a pause. */
function rewound(clock: RunClock, { status, tasks }: Pick<RewoundState, 'status' | 'tasks'>, at: number): RunClock {
  const { endedAt, ...moved } = released(clock, at);
  const pausedMs = moved.pausedMs + (endedAt === null ? 0 : at - endedAt);
  const next: RunClock = { ...moved, pausedMs, endedAt: status === 'settled' ? at : null };
  const since = movingMs(next, at);
  return { ...next, tasks: Object.values(tasks).map((task) => restarted(taskClock(task), { since, at })) };
}

function taskClock({ id, work, turn }: Pick<Task, 'id' | 'work' | 'turn'>): TaskClock {
  const asked = (turn?.asked ?? []).filter(({ isAllowed }) => isAllowed === null).map(({ call }) => call.id);
  return {
    id,
    kind: work.kind,
    startedAt: 0,
    since: 0,
    waitedMs: 0,
    waitsSince: null,
    openTools: turn?.openTools.length ?? 0,
    waitsFor: [...(turn?.asking ?? []), ...asked],
  };
}
