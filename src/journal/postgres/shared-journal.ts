import type { Problem } from '../../core/fault.ts';
import type { Journal } from '../port.ts';

// What others know of the journal on PostgreSQL: no type of its driver is in here, so none is in the package's declarations.

export interface PostgresJournal extends Journal {
  /** Shows this process among the workers before it takes a lease, and returns its id there. */
  register(): Promise<string>;
  /** The processes that take leases here. */
  workers(): Promise<readonly RegisteredWorker[]>;
  /** Reads everything, for `troupe doctor`. */
  inspect(): Promise<PostgresInspection>;
}

/** A process that takes leases, as it describes itself to the others. */
export interface WorkerIdentity {
  /** The same for all journals of a process, and for no other process. */
  readonly id: string;
  /** How lists name it. */
  readonly name?: string;
  readonly version?: string;
  /** What it offers. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface RegisteredWorker {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly labels: Readonly<Record<string, string>>;
  /** By the clock of the database, as are all times here. */
  readonly startedAt: number;
  readonly beatAt: number;
  readonly isAlive: boolean;
  /** How many runs that are not settled it holds. */
  readonly runs: number;
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
