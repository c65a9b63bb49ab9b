import type { JournalRecord } from '../core/record/fact.ts';
import type { BodyHash, RunId } from '../core/model/ids.ts';
import type { Json } from '../core/model/json.ts';
import type { Outcome } from '../core/model/outcome.ts';
import type { ResultState } from '../core/look/result-state.ts';
import type { StoredRecord, TreeRecord } from '../core/record/stored-record.ts';

export type { StoredRecord, TreeRecord } from '../core/record/stored-record.ts';

/**
 * The journal's port. Every implementation passes `journal.contract.ts`.
 *
 * [J1] A batch is appended whole or not at all, and is durable when `append` resolves.
 * [J2] Records of a run are numbered 1, 2, 3 … without a gap; a batch that does not continue them is refused (JOURNAL_CONFLICT).
 * [J3] Only the newest lease of a run may append; an older epoch is refused (LEASE_LOST).
 * [J4] What was read is what was written: damage is a fault (JOURNAL_DAMAGED), never a shorter or different list.
 * [J5] Bodies are addressed by the hash of their content, so storing one twice stores it once.
 * [J6] A message sent to a run is delivered at least once until a batch consumed it; the same id is taken once.
 * [J7] A call whose answer was lost can be repeated: `append` accepts a batch whose records are there already, from the same
 *      lease; `create` with the same header, owner and records returns the same lease, unless the run was leased or released since.
 * [J8] Every record has a commit number. It grows along a tree of runs (those with the same `rootRunId`), so it orders their
 *      records without clocks. Records of a batch share it, within a run it never falls, and numbers may be left out.
 */
export interface Journal {
  /**
   * Creates the run with its first records, and takes its first lease: all of it or nothing. RUN_EXISTS when the id is taken.
   * Records that carry a commit number keep it: the copies of a fork stay in order. Later ones get higher numbers.
   */
  create(run: NewRun, owner: string, first?: Batch): Promise<Lease>;
  append(lease: Lease, batch: Batch): Promise<void>;
  /** Records with a number above `after`, oldest first, and at most so many. RUN_UNKNOWN when there is no such run. */
  read(run: RunId, after?: number, limit?: number): Promise<readonly StoredRecord[]>;
  /**
   * Records of the root and all runs below it with a commit number above `after`, ordered by commit, run and number.
   * A limit never splits a commit: only whole commits are returned, and at least one. RUN_UNKNOWN when there is no such root.
   */
  tree(root: RunId, after?: number, limit?: number): Promise<readonly TreeRecord[]>;
  run(run: RunId): Promise<RunInfo | undefined>;
  /** Newest first. */
  runs(filter?: RunFilter): Promise<readonly RunInfo[]>;

  putBody(body: Json): Promise<BodyHash>;
  /** BODY_MISSING when there is none. */
  getBody(hash: BodyHash): Promise<Json>;

  /**
   * Takes over the run: the epoch grows by one. RUN_BUSY while another live process holds it, unless that process hands over: then
   * `from` is its lease.
   */
  lease(run: RunId, owner: string, from?: Lease): Promise<Lease>;
  release(lease: Lease): Promise<void>;

  /** For the process that drives the run: an answer, a cancel. Survives until consumed. */
  send(run: RunId, message: InboxMessage): Promise<void>;
  inbox(run: RunId): Promise<readonly InboxMessage[]>;
  /** The runs that have messages waiting, without settled runs that no process drives. */
  addressed(): Promise<readonly RunId[]>;

  /**
   * Calls back soon after records or messages were added or a lease changed, by this process or another. Returns the unsubscribe.
   */
  onChange(listener: ChangeListener): () => void;
  /**
   * How often others may have considered this process dead so far, such as after it was frozen; NaN while they may. Since
   * then its leases may be theirs: it checks before it starts work that they may have done. Absent if it cannot happen.
   */
  lapses?(): number;
  /**
   * Waits until no other process has this name in the tree of runs, and holds it until the returned function is called. A
   * process that dies loses it together with its leases in the tree. Absent if one process drives a whole tree.
   */
  reserve?(root: RunId, name: string, signal: AbortSignal): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** `changed` names the runs; null if the journal does not know which. */
export type ChangeListener = (changed: ReadonlySet<RunId> | null) => void;

/** A record to write. Only `create` uses a commit number. */
export interface NewRecord extends JournalRecord {
  readonly commit?: number;
}

export interface NewRun {
  readonly run: RunId;
  readonly parent: RunId | null;
  readonly workflow: string;
  readonly project: string;
  /** One line for lists: the beginning of the input. */
  readonly title: string;
  readonly at: number;
  /** The run it was forked from. */
  readonly forkedFrom?: RunId;
  /** Any process that takes it from the queue drives it; other child runs are driven by the process that drives their parent. */
  readonly isOffered?: true;
  /** As in `run.started`. */
  readonly needs?: readonly string[];
  readonly priority?: number;
}

export interface Lease {
  readonly run: RunId;
  readonly epoch: number;
  readonly owner: string;
}

export interface Batch {
  readonly records: readonly NewRecord[];
  /** Stored with the run so that lists need no fold. */
  readonly summary: RunSummary;
  /** The run is paused after these records: on a full disk they use the reserved space. */
  readonly isLast?: boolean;
  /** Ids of inbox messages that these records consume, in the same transaction. */
  readonly consumed?: readonly string[];
  /** Messages to this or other runs, in the same transaction. One to a run that does not exist is dropped. */
  readonly sends?: readonly Outgoing[];
}

export interface Outgoing {
  readonly run: RunId;
  readonly message: InboxMessage;
}

export type RunStatus = 'running' | 'waiting' | 'paused' | 'settled';

export interface RunSummary {
  readonly status: RunStatus;
  readonly outcome: Outcome | null;
  /** Absent where there is none. */
  readonly result?: ResultState;
  /** It runs, and all its work in progress waits for a person. */
  readonly isWaitingBelow?: true;
  /** No process drives it, because only a message moves it before this time. Holds until the next record. */
  readonly wakesAt?: number;
  /** Lists leave it out. */
  readonly isArchived?: true;
  /** Replaces its first needs. */
  readonly needs?: readonly string[];
}

export interface RunInfo extends NewRun, RunSummary {
  /** Number of the newest record. */
  readonly seq: number;
  /** Identifies all records of the run: equal tips mean equal records. */
  readonly tip: string;
  readonly updatedAt: number;
  /** A live process drives it now. */
  readonly driven: boolean;
}

export interface RunFilter {
  /** Children of this run, found by an index; null: runs without a parent. */
  readonly parent?: RunId | null;
  /** Forks of this run, found by an index. */
  readonly forkedFrom?: RunId;
  /** This run and all below it, found by an index. */
  readonly root?: RunId;
  readonly status?: RunStatus;
  readonly limit?: number;
}

export interface InboxMessage {
  readonly id: string;
  readonly at: number;
  readonly body: Json;
}
