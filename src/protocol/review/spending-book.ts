import { chargeOf, type Charge } from '../../core/charge.ts';
import type { Fact, JournalRecord, TaskStarted } from '../../core/fact.ts';
import type { Outcome } from '../../core/outcome.ts';
import { advanceClock, runTime, startClock } from '../../core/work-clock.ts';
import { entry } from '../metrics/counters.ts';
import { ledgerIn } from './review-data.ts';
import { SpendingTally } from './spending-tally.ts';
import { REVIEW_PARTS, type ReviewPart } from './spending-view.ts';
import type { ReviewSpending, SpendingFigures } from '../operations/answers/spending.ts';

/**
 * What a review cost, by what it was spent on. Also what was undone by going back is counted, since it was paid; together the
 * parts are what the run spent.
 */
export class SpendingBook {
  readonly #tallies = new Map<string, SpendingTally>();
  readonly #turns = new Map<string, Turn>();
  readonly #agents = new Map<string, AgentTurns>();
  /** Of the debate that goes on; 0 while the first reviews are not over. */
  #debate = 0;
  #ledgerDebate = 1;
  #paidBefore: string | null = null;
  #clock = startClock(0);
  /** The run's time at work until the newest record; all turns are measured with it. */
  #at = 0;

  constructor(records: readonly JournalRecord[]) {
    for (const record of records) this.#learn(record);
    for (const turn of this.#turns.values()) this.#end(turn, this.#at);
  }

  get spending(): ReviewSpending {
    const parts = REVIEW_PARTS.map((part) => [part, this.#tally(part).figures] as const);
    return {
      parts: Object.fromEntries(parts) as Record<ReviewPart, SpendingFigures>,
      total: this.#tally('total').figures,
      paidBefore: this.#paidBefore,
    };
  }

  /** Of the turns of one debate. */
  ofDebate(debate: number): SpendingFigures {
    return this.#tally(`debate ${debate}`).figures;
  }

  ofAgent(agent: string): SpendingFigures {
    return this.#tally(`agent ${agent}`).figures;
  }

  agent(agent: string): AgentTurns | undefined {
    return this.#agents.get(agent);
  }

  #tally(name: string): SpendingTally {
    return entry(this.#tallies, name, () => new SpendingTally());
  }

  #learn(record: JournalRecord): void {
    const { fact } = record;
    this.#at = this.#workedMs(record);
    const at = this.#at;
    if (fact.kind === 'run.forked') this.#forget(fact.from.run, at);
    else if (fact.kind === 'run.rewound') this.#putBack(fact, at);
    else if (fact.kind === 'task.started') this.#start(fact, at);
    else if (fact.kind === 'task.ended') this.#finish(fact, at);
    const patch = 'patch' in fact ? fact.patch : null;
    if (patch !== null) this.#ledgerDebate = ledgerIn(patch.set)?.debate ?? this.#ledgerDebate;
    const charge = chargeOf(fact);
    if (charge !== null) this.#spend(charge);
  }

  #workedMs(record: JournalRecord): number {
    this.#clock = record.fact.kind === 'run.started' ? startClock(record.at) : advanceClock(this.#clock, record);
    return runTime(this.#clock, record.at).workedMs;
  }

  /** What was under way goes on at this run's account. */
  #forget(run: string, at: number): void {
    this.#paidBefore = run;
    this.#tallies.clear();
    this.#turns.forEach((turn, task) => this.#turns.set(task, { ...turn, startedAt: at }));
  }

  /** What was under way when the run was put back ended there; whatever goes on is begun again. */
  #putBack({ state }: Extract<Fact, { readonly kind: 'run.rewound' }>, at: number): void {
    if (state === null) return;
    for (const [task, turn] of this.#turns) {
      this.#turns.delete(task);
      this.#ended.set(task, turn);
      this.#end(turn, at);
    }
  }

  #start({ task, state, work }: TaskStarted, at: number): void {
    if (state === 'debate' || state === 'decide') this.#debate = this.#ledgerDebate;
    if (work.kind !== 'turn') return;
    const part = this.#partOf(state);
    const names = [part, 'total', `agent ${work.agent}`, ...(part === 'debate' ? [`debate ${this.#debate}`] : [])];
    this.#turns.set(task, { names, agent: work.agent, startedAt: at });
    const known = entry(this.#agents, work.agent, () => ({ outcome: null, models: new Set<string>(), states: [] }));
    known.outcome = null;
    known.states.push(state);
  }

  #finish({ task, outcome }: Extract<Fact, { readonly kind: 'task.ended' }>, at: number): void {
    const turn = this.#turns.get(task);
    if (turn === undefined) return;
    this.#turns.delete(task);
    this.#ended.set(task, turn);
    this.#end(turn, at);
    const agent = this.#agents.get(turn.agent);
    if (agent !== undefined) agent.outcome = outcome;
  }

  /** What is booked after its end, such as what a stopped client had used, still belongs to the turn. */
  readonly #ended = new Map<string, Turn>();

  #end({ names, startedAt }: Turn, at: number): void {
    for (const name of names) this.#tally(name).took(startedAt, at);
  }

  #spend(charge: Charge): void {
    const { task, model } = charge;
    const turn = this.#turns.get(task) ?? this.#ended.get(task);
    for (const name of turn?.names ?? ['other', 'total']) this.#tally(name).spending.add(charge);
    if (turn !== undefined && model !== null) this.#agents.get(turn.agent)?.models.add(model);
  }

  #partOf(state: string): ReviewPart {
    return state.startsWith('settle_') ? 'merge' : (PART_OF_STATE[state] ?? 'other');
  }
}

/** By the states of the workflow (`src/dialects/review`). */
const PART_OF_STATE: Readonly<Record<string, ReviewPart>> = {
  implement: 'implementations',
  review: 'reviews',
  debate: 'debate',
  synthesise: 'synthesis',
  revise: 'revisions',
};

interface Turn {
  readonly names: readonly string[];
  readonly agent: string;
  readonly startedAt: number;
}

export interface AgentTurns {
  /** How its last turn came out; null while it goes on. */
  outcome: Outcome | null;
  readonly models: Set<string>;
  /** The state of each of its turns. */
  readonly states: string[];
}
