import type { OwnCharge } from '../../core/record/charge.ts';
import type { Fact, JournalRecord, RunSettled } from '../../core/record/fact.ts';
import type { CallAnswered, CallFailed, ToolFinished } from '../../core/record/call-fact.ts';
import type { TaskEnded } from '../../core/record/task-fact.ts';
import { isHandedUp } from '../../core/step/handed-up.ts';
import type { ArisenFailure } from '../../core/fold/snapshot.ts';
import { isRunBelow, parentTask } from '../../core/fold/open-children.ts';
import type { Failure, Outcome } from '../../core/model/outcome.ts';
import type { RunClock } from '../../core/fold/run-clock.ts';
import { TaskBook, type KnownTask } from '../history/task-book.ts';
import { RoundCounter } from './count-rounds.ts';
import type { PhaseName, Tally } from './tally.ts';

/** Counts one run's records into a tally. A failure that is handed up is counted where it arose. */
export class RunCounter {
  readonly #tally: Tally;
  readonly #isRoot: boolean;
  readonly #book = new TaskBook();
  readonly #rounds: RoundCounter;
  readonly #spawned = new Set<string>();
  readonly #arisen: ArisenFailure[] = [];
  /** Failures of child runs, as reported by their callers. */
  readonly childFailures = new Map<string, Failure>();
  /** How it settled, where it failed. */
  failure: Failure | null = null;
  /** How it settled; null while it is under way, also again. */
  outcome: Outcome | null = null;
  #stateSince: { readonly workedMs: number; hasWork: boolean } | null = null;

  constructor(tally: Tally, isRoot: boolean, within: () => string | null) {
    this.#tally = tally;
    this.#isRoot = isRoot;
    this.#rounds = new RoundCounter(tally, within);
  }

  /** `isInherited`: it belongs to the run that this one was forked from, and is only remembered. */
  take(record: JournalRecord, isInherited: boolean): OwnCharge | null {
    const { fact, at } = record;
    this.#followEnd(fact);
    const { state } = this.#book.step;
    this.#book.take(record);
    if (isInherited) return null;
    if (this.#isRoot) this.#countState(fact, state);
    const task = 'task' in fact ? this.#book.task(fact.task) : undefined;
    const count = COUNTS[fact.kind] as Count | undefined;
    count?.(this, { fact, at, task });
    return this.#book.charge;
  }

  /** The state in which a run below was called. */
  stateOf(child: string): string | null {
    return this.#book.task(parentTask(child))?.state ?? null;
  }

  get workflow(): string {
    return this.#book.workflow;
  }

  get clock(): RunClock {
    return this.#book.clock;
  }

  #followEnd(fact: Fact): void {
    if (fact.kind === 'run.settled') this.outcome = fact.outcome;
    if (fact.kind === 'run.rewound' && fact.state !== null) this.outcome = fact.state.result?.outcome ?? null;
  }

  /** The phase of this root run that a charge of its tree belongs to. `below`: the way down to the run that paid. */
  accountOf(below: string, { state, unit }: OwnCharge): PhaseName {
    const { workflow } = this.#book;
    const [child = ''] = below.split('/');
    const account = (child === '' ? undefined : this.#book.task(parentTask(child))) ?? { state, unit };
    return account.unit === null
      ? { workflow, phase: account.state, within: null }
      : { workflow, phase: account.unit, within: account.state };
  }

  /** `state`: the one that is left, where the fact leaves it. */
  #countState(fact: Fact, state: string): void {
    if (fact.kind === 'task.started' && this.#stateSince !== null) this.#stateSince.hasWork = true;
    const outcome = leftWith(fact);
    if (outcome === undefined) return;
    const { workflow, time } = this.#book;
    if (this.#stateSince?.hasWork === true) {
      const workedMs = time.workedMs - this.#stateSince.workedMs;
      this.#tally.phase({ workflow, phase: state, within: null }).add(outcome, Math.max(0, workedMs));
    }
    this.#stateSince = fact.kind === 'run.settled' ? null : { workedMs: time.workedMs, hasWork: false };
  }

  endTask({ fact, task }: Counted<TaskEnded>): void {
    const { workflow, time } = this.#book;
    if (task !== undefined && !this.#isRoot)
      this.#rounds.end(task, fact.outcome, { workflow, workedMs: time.workedMs });
    if (task === undefined || NO_TASKS.has(task.work.kind)) return;
    const ms = workedOf(task);
    if (!this.#book.isApart) this.#countTask(task, fact.outcome, ms);
    if (this.#isRoot && task.unit !== null) {
      this.#tally.phase({ workflow, phase: task.unit, within: task.state }).add(fact.outcome, ms);
    }
    if (fact.failure !== null) this.#failTask(task, fact.failure);
  }

  #countTask({ work }: KnownTask, outcome: Outcome, ms: number): void {
    this.#tally.of('tasks').add(outcome, ms);
    if (work.kind === 'turn') this.#tally.of('agents', work.agent).add(outcome, ms);
  }

  #failTask({ id, work, pool }: KnownTask, failure: Failure): void {
    if (isRunBelow(work)) this.childFailures.set(id, failure);
    else if (!isHandedUp(failure, id, this.#arisen)) this.#error(failure);
    this.#arisen.push({ failure, task: id, pool });
  }

  startTurn(task: KnownTask | undefined): void {
    if (task?.work.kind !== 'turn' || this.#book.isApart || this.#spawned.has(task.work.agent)) return;
    this.#spawned.add(task.work.agent);
    this.#tally.of('spawned').count('agents');
  }

  answer({ fact, task }: Counted<CallAnswered>): void {
    this.#countCall(task?.agent ?? fact.message.author, 'answered');
    this.#tally.of('models', fact.model).add(null, fact.ms);
  }

  failCall({ fact, task }: Counted<CallFailed>): void {
    this.#countCall(task?.agent ?? '', 'failed');
    this.#error(fact.failure);
    this.#arisen.push({ failure: fact.failure, task: fact.task, pool: task?.pool ?? null });
  }

  finishTool({ fact, task }: Counted<ToolFinished>): void {
    if (this.#book.wasReported(fact)) return;
    const how = fact.refused !== undefined ? 'refused' : fact.isError ? 'failed' : 'ok';
    const tool = this.#book.toolCall(fact.task, fact.toolCall)?.name ?? 'unknown';
    this.#tally.use({ agent: task?.agent ?? '', tool, how, ms: fact.ms });
  }

  countActivities({ at, task }: Counted): void {
    for (const { item, startedAt } of this.#book.ended) {
      if (item.kind === 'minion') this.#tally.of('spawned').count('minions');
      if (item.kind !== 'tool') continue;
      const how = item.status === 'ok' ? 'ok' : item.status === 'denied' ? 'refused' : 'failed';
      this.#tally.use({ agent: task?.agent ?? '', tool: item.name, how, ms: at - startedAt });
    }
  }

  settle({ failure }: RunSettled): void {
    this.failure = failure;
    if (failure !== null && !isHandedUp(failure, null, this.#arisen)) this.#error(failure);
  }

  artifact(type: string): void {
    this.#tally.of('artifacts', type).count('all');
  }

  #countCall(agent: string, how: 'answered' | 'failed'): void {
    this.#tally.of('agents', agent);
    this.#tally.of('calls', agent).count(how);
  }

  #error({ code, class: kind }: Failure): void {
    this.#tally.of('errors', code, kind).count('all');
  }
}

interface Counted<F extends Fact = Fact> {
  readonly fact: F;
  readonly at: number;
  readonly task: KnownTask | undefined;
}

type Count<F extends Fact = Fact> = (counter: RunCounter, counted: Counted<F>) => void;

const COUNTS: { readonly [Kind in Fact['kind']]?: Count<Extract<Fact, { readonly kind: Kind }>> } = {
  'task.started': (counter, { task }) => counter.startTurn(task),
  'task.ended': (counter, counted) => counter.endTask(counted),
  'call.answered': (counter, counted) => counter.answer(counted),
  'call.failed': (counter, counted) => counter.failCall(counted),
  'tool.finished': (counter, counted) => counter.finishTool(counted),
  'activity.noted': (counter, counted) => counter.countActivities(counted),
  'run.settled': (counter, { fact }) => counter.settle(fact),
  'artifact.recorded': (counter, { fact }) => counter.artifact(fact.artifact.type),
};

/** They take no time, or their units are counted instead. */
const NO_TASKS: ReadonlySet<KnownTask['work']['kind']> = new Set(['pool', 'tell', 'clear']);

/** Outcome of the state that the fact leaves; null: left half done; undefined: no state is left. */
function leftWith(fact: Fact): Outcome | null | undefined {
  if (fact.kind === 'state.entered') return fact.from?.outcome ?? null;
  if (fact.kind === 'run.settled') return fact.outcome;
  const isPutBack = fact.kind === 'run.forked' || (fact.kind === 'run.rewound' && fact.state !== null);
  return isPutBack ? null : undefined;
}

const workedOf = ({ time }: KnownTask): number => time?.workedMs ?? 0;
