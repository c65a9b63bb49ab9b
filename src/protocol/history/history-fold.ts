import type { JournalRecord } from '../../core/record/fact.ts';
import { entry, Spending } from '../metrics/counters.ts';
import { AgentFold, type AgentRecord } from './agents.ts';
import { BarFold, type Bar } from './bars.ts';
import { TaskBook } from './task-book.ts';
import { UnitFold, type Units } from './units.ts';
import { VisitFold, type Visits } from './visits.ts';

/** Folded from the records of one run. Every view of the run is made from this (R4). */
export interface RunHistory {
  readonly visits: Visits;
  /** All work, in order of its beginning. */
  readonly bars: readonly Bar[];
  /** Agents that had a turn, in order of their first. */
  readonly agents: readonly AgentRecord[];
  readonly units: Units;
  /** When each agent was first given work. */
  readonly firstSeen: ReadonlyMap<string, number>;
  readonly spent: readonly SpentOn[];
}

export type SpentFigures = Spending['figures'];

/** Spent by this run alone, by agent and state; child runs have their own. Includes undone work. */
export interface SpentOn extends SpentFigures {
  /** Null for what belongs to no agent. */
  readonly agent: string | null;
  readonly state: string;
}

/** The one fold of a run's records. It goes on where it stood: each record is taken once. */
export class HistoryFold {
  readonly book = new TaskBook();
  readonly #visits: VisitFold;
  readonly #bars: BarFold;
  readonly #agents: AgentFold;
  readonly #units: UnitFold;
  readonly #spent = new Map<string, Pick<SpentOn, 'agent' | 'state'> & { readonly spending: Spending }>();
  #spentList: readonly SpentOn[] | null = null;

  constructor(run: string) {
    this.#visits = new VisitFold(run, this.book);
    this.#bars = new BarFold(run, this.book);
    this.#agents = new AgentFold(this.book);
    this.#units = new UnitFold(this.book);
  }

  take(record: JournalRecord): void {
    this.book.take(record);
    for (const fold of [this.#visits, this.#bars, this.#agents, this.#units]) fold.take(record);
    this.#spend(record);
  }

  /** Parts that have not changed are the same objects as before. */
  get history(): RunHistory {
    this.#spentList ??= [...this.#spent.values()].map(({ spending, ...on }) => ({ ...on, ...spending.figures }));
    return {
      visits: this.#visits.view,
      bars: this.#bars.view,
      agents: this.#agents.view,
      units: this.#units.view,
      firstSeen: this.book.firstSeen,
      spent: this.#spentList,
    };
  }

  /** The original run paid for everything before the fork. */
  #spend({ fact }: JournalRecord): void {
    if (fact.kind === 'run.forked') this.#spent.clear();
    const { charge } = this.book;
    if (charge === null && fact.kind !== 'run.forked') return;
    this.#spentList = null;
    if (charge === null) return;
    const { agent, state } = charge;
    entry(this.#spent, `${agent ?? ''}\n${state}`, () => ({ agent, state, spending: new Spending() })).spending.add(
      charge,
    );
  }
}

export function foldHistory(run: string, records: readonly JournalRecord[]): RunHistory {
  const fold = new HistoryFold(run);
  for (const record of records) fold.take(record);
  return fold.history;
}
