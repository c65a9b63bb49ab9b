import type { Problem } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Journal, RunSummary } from '../port.ts';

// What others know of the journal on PostgreSQL: no type of its driver is in here, so none is in the package's declarations.

export interface PostgresJournal extends Journal {
  /** Shows this process among the workers before it takes a lease, with what it offers to queued runs, and returns its id there. */
  register(work?: WorkOffer): Promise<string>;
  /** The processes that take leases here. */
  workers(): Promise<readonly RegisteredWorker[]>;
  /** Asks a worker to hand its runs over and to end; false where there is none of that id. */
  drain(worker: string): Promise<boolean>;
  /**
   * The runs that no live process drives although they have something to do or to hear, or a run that is driven with them has.
   * One query, which an index answers.
   */
  undriven(): Promise<readonly UndrivenRun[]>;
  /** By the database's clock, in milliseconds. */
  now(): Promise<number>;
  /** Does something while no other process that uses this database does such a thing. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Reads everything, for `troupe doctor`. */
  inspect(): Promise<PostgresInspection>;
}

/** `wakesAt`: when the first run of those that are driven together wakes, where all of them sleep. */
export interface UndrivenRun extends Pick<RunSummary, 'wakesAt'> {
  readonly run: RunId;
}

/** A process that takes leases, as it describes itself to the others. */
export interface WorkerIdentity {
  /** The same for all journals of a process, and for no other process. */
  readonly id: string;
  /** How lists name it. */
  readonly name?: string;
  readonly version?: string;
}

/** What a worker offers to runs. */
export interface WorkOffer {
  /** How many runs it works on at once. */
  readonly slots: number;
  /** In the words of the runs that need it, such as `label gpu`. */
  readonly offers: readonly string[];
}

export interface RegisteredWorker {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** Null where it takes no runs from the queue. */
  readonly work: WorkOffer | null;
  /** It was asked to hand its runs over and to end. */
  readonly isDraining: boolean;
  /** By the clock of the database, as are all times here. */
  readonly startedAt: number;
  readonly beatAt: number;
  readonly isAlive: boolean;
  /** The runs that it holds, without settled ones. */
  readonly runs: readonly RunId[];
}

export interface PostgresInspection {
  readonly address: string;
  /** Of the server. */
  readonly version: string;
  readonly runs: number;
  readonly problems: readonly Problem[];
}

/** Hears when the server cannot be reached, and when it can again: once each. */
export interface AwayListener {
  readonly onAway?: ((address: string, reason: string) => void) | undefined;
  readonly onBack?: ((address: string) => void) | undefined;
}
