import type { JournalRecord } from '../../core/record/fact.ts';
import type { ResolvedWork, TaskEnded, TaskStarted, UnitEnded, UnitsAdded } from '../../core/record/task-fact.ts';
import { childRunId, type RunId } from '../../core/model/ids.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import type { ArtifactView } from '../artifacts/artifact-view.ts';
import { TaskBook } from '../history/task-book.ts';
import { isoTime } from '../history/run-record.ts';
import type { PhaseState } from './workflow-state.ts';

/**
 * The phases of a run: the units of its pools, and the states in which an agent or a person worked. Computed states and work
 * that takes no time are no phases.
 */
export function foldPhases(
  run: RunId,
  records: readonly JournalRecord[],
  artifacts: readonly ArtifactView[],
): readonly PhaseState[] {
  const tasks = new TaskBook();
  for (const record of records) tasks.take(record);
  const book = new PhaseBook(tasks);
  for (const record of records) if (tasks.lineage.counts(record.seq)) book.learn(record);
  const made = Map.groupBy(
    artifacts.filter(({ undone }) => undone === undefined),
    ({ phase }) => phase,
  );
  return book.phases.map((phase) => phaseState(run, phase, made.get(phase.name) ?? []));
}

interface Phase {
  readonly name: string;
  readonly state: string;
  status: PhaseState['status'];
  outcome: Outcome | null;
  reason: string | null;
  startedAt: number | null;
  endedAt: number | null;
  ms: number;
  times: number;
  record: number | null;
  /** The task of a run that does it. */
  call: TaskStarted['task'] | null;
}

const NO_PHASES: ReadonlySet<ResolvedWork['kind']> = new Set(['pool', 'compute', 'tell', 'clear']);

class PhaseBook {
  readonly #phases = new Map<string, Phase>();
  readonly #byTask = new Map<string, Phase>();
  readonly #book: TaskBook;

  constructor(book: TaskBook) {
    this.#book = book;
  }

  get phases(): readonly Phase[] {
    return [...this.#phases.values()];
  }

  learn({ fact, at, seq }: JournalRecord): void {
    if (fact.kind === 'task.started') this.#start(fact, { at, seq });
    else if (fact.kind === 'units.added') this.#add(fact);
    else if (fact.kind === 'task.ended') this.#end(fact, at);
    else if (fact.kind === 'unit.ended') this.#pass(fact, at);
  }

  #start({ task, state, unit, work }: TaskStarted, { at, seq }: Pick<JournalRecord, 'at' | 'seq'>): void {
    if (unit === null && NO_PHASES.has(work.kind)) return;
    const phase = this.#at(state, unit);
    phase.status = 'running';
    phase.outcome = null;
    phase.reason = null;
    phase.startedAt ??= at;
    phase.endedAt = null;
    phase.times += 1;
    phase.record = seq;
    phase.call = work.kind === 'call' ? task : null;
    this.#byTask.set(task, phase);
  }

  #add({ task, units }: UnitsAdded): void {
    const pool = this.#book.task(task);
    if (pool !== undefined) for (const { id } of units) this.#wait(pool.state, id);
  }

  /** A pool that is entered again begins its units again. */
  #wait(state: string, unit: string): void {
    const phase = this.#at(state, unit);
    phase.status = 'pending';
    phase.outcome = null;
    phase.reason = null;
    phase.endedAt = null;
  }

  #end({ task, outcome, failure }: TaskEnded, at: number): void {
    const phase = this.#byTask.get(task);
    if (phase === undefined) return;
    phase.status = 'ended';
    phase.outcome = outcome;
    phase.reason = failure?.message ?? null;
    phase.endedAt = at;
    phase.ms += this.#book.task(task)?.time?.workedMs ?? 0;
  }

  #pass({ task, unit, outcome, reason }: UnitEnded, at: number): void {
    const pool = this.#book.task(task);
    if (pool === undefined) return;
    Object.assign(this.#at(pool.state, unit), { status: 'ended', outcome, reason, endedAt: at });
  }

  #at(state: string, unit: string | null): Phase {
    const key = JSON.stringify([state, unit]);
    const known = this.#phases.get(key);
    if (known !== undefined) return known;
    const phase: Phase = {
      name: unit ?? state,
      state,
      status: 'pending',
      outcome: null,
      reason: null,
      startedAt: null,
      endedAt: null,
      ms: 0,
      times: 0,
      record: null,
      call: null,
    };
    this.#phases.set(key, phase);
    return phase;
  }
}

function phaseState(run: RunId, phase: Phase, made: readonly ArtifactView[]): PhaseState {
  const { name, state, status, outcome, reason, startedAt, endedAt, ms, times, record, call } = phase;
  return {
    phase: name,
    state,
    status,
    outcome,
    reason,
    started_at: startedAt === null ? null : isoTime(startedAt),
    completed_at: endedAt === null ? null : isoTime(endedAt),
    duration: times === 0 || status === 'running' ? null : ms / 1000,
    times,
    record,
    outputs: [...new Set(made.map(({ path }) => path))],
    run: call === null ? null : childRunId(run, call),
  };
}
