import { dataAfter } from '../../../core/fold/data-after.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import { chargeOf, type Charge } from '../../../core/record/charge.ts';
import type { JournalRecord } from '../../../core/record/fact.ts';
import type { TaskStarted } from '../../../core/record/task-fact.ts';
import type { AgentRecord } from '../../../protocol/history/agents.ts';
import { HistoryFold } from '../../../protocol/history/history-fold.ts';
import { isPutBack } from '../../../protocol/history/lineage.ts';
import { entry } from '../../../protocol/metrics/counters.ts';
import { reviewStateIn } from './review-state-in.ts';
import { SpendingTally } from './spending-tally.ts';
import { REVIEW_PARTS, type ReviewPart } from './spending-view.ts';
import type { ReviewSpending, SpendingFigures } from './answers/spending.ts';

/**
 * The cost of a review by purpose. Undone work counts too, since it was paid for; the parts add up to the cost of the run.
 */
export class SpendingBook {
  readonly #tallies = new Map<string, SpendingTally>();
  readonly #history = new HistoryFold('');
  /** The tallies of each turn by its task. Turns that have ended stay, because their last costs may be booked later. */
  readonly #turns = new Map<string, readonly string[]>();
  /** Since when turns are under way. */
  readonly #open = new Map<string, number>();
  /** The number of the present debate; 0 during the first reviews. */
  #debate = 0;
  #data: JsonObject = {};
  #paidBefore: string | null = null;

  constructor(records: readonly JournalRecord[]) {
    for (const record of records) this.#learn(record);
    this.#endAll();
  }

  get spending(): ReviewSpending {
    const parts = REVIEW_PARTS.map((part) => [part, this.#tally(part).figures] as const);
    return {
      parts: Object.fromEntries(parts) as Record<ReviewPart, SpendingFigures>,
      total: this.#tally('total').figures,
      paidBefore: this.#paidBefore,
    };
  }

  /** For the turns of one debate. */
  ofDebate(debate: number): SpendingFigures {
    return this.#tally(`debate ${debate}`).figures;
  }

  ofAgent(agent: string): SpendingFigures {
    return this.#tally(`agent ${agent}`).figures;
  }

  agent(agent: string): AgentTurns | undefined {
    const { history, book } = this.#history;
    const known = history.agents.find((one) => one.agent === agent);
    if (known === undefined) return undefined;
    const { outcome, models, tasks } = known;
    return { outcome, models, states: tasks.map((task) => book.task(task)?.state ?? '') };
  }

  #tally(name: string): SpendingTally {
    return entry(this.#tallies, name, () => new SpendingTally());
  }

  #learn(record: JournalRecord): void {
    const { fact } = record;
    this.#history.take(record);
    if (fact.kind === 'run.forked') this.#forget(fact.from.run);
    else if (fact.kind === 'task.started') this.#start(fact);
    else if (fact.kind === 'task.ended') this.#end(fact.task);
    // Work in progress ended where the run was put back; if it continues, it begins again.
    else if (isPutBack(fact)) this.#endAll();
    this.#data = dataAfter(this.#data, fact);
    const charge = chargeOf(fact);
    if (charge !== null) this.#spend(charge);
  }

  /** The run's time at work until the newest record; all turns are measured with it. */
  get #at(): number {
    return this.#history.book.time.workedMs;
  }

  /** Work in progress continues at this run's expense. */
  #forget(run: string): void {
    this.#paidBefore = run;
    this.#tallies.clear();
    for (const task of this.#open.keys()) this.#open.set(task, this.#at);
  }

  #start({ task, state, work }: TaskStarted): void {
    if (state === 'debate' || state === 'decide') this.#debate = reviewStateIn(this.#data)?.ledger.debate ?? 1;
    if (work.kind !== 'turn') return;
    const part = this.#partOf(state);
    const names = [part, 'total', `agent ${work.agent}`, ...(part === 'debate' ? [`debate ${this.#debate}`] : [])];
    this.#turns.set(task, names);
    this.#open.set(task, this.#at);
  }

  #end(task: string): void {
    const since = this.#open.get(task) ?? this.#at;
    if (!this.#open.delete(task)) return;
    for (const name of this.#turns.get(task) ?? []) this.#tally(name).took(since, this.#at);
  }

  #endAll(): void {
    for (const task of this.#open.keys()) this.#end(task);
  }

  #spend(charge: Charge): void {
    const names = this.#turns.get(charge.task) ?? ['other', 'total'];
    for (const name of names) this.#tally(name).spending.add(charge);
  }

  #partOf(state: string): ReviewPart {
    return PART_OF_STATE[state] ?? 'other';
  }
}

/** By the states of the workflow (`src/formats/review/parse`). */
const PART_OF_STATE: Readonly<Record<string, ReviewPart>> = {
  implement: 'implementations',
  review: 'reviews',
  debate: 'debate',
  synthesise: 'synthesis',
  revise: 'revisions',
  settle: 'merge',
};

export interface AgentTurns extends Pick<AgentRecord, 'outcome' | 'models'> {
  /** The state of each of its turns. */
  readonly states: readonly string[];
}
