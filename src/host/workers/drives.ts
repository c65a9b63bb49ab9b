import type { FaultCode } from '../../core/codes/codes.ts';
import { isFault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import { isJsonObject } from '../../core/model/json.ts';
import type { InboxMessage, Journal } from '../../journal/port.ts';
import { eventOf } from '../embedded/inbox.ts';
import type { DriveTerms } from './drive-run.ts';
import type { DriveEnd } from './entries.ts';

/**
 * Drives the run until it is settled, sleeps for long, or only a person can act; releases it and returns soon when the signal is aborted. What it
 * throws is not the end of the run: it is tried again later, here or elsewhere.
 */
export type DriveHere = (run: RunId, terms: DriveTerms) => Promise<void>;

export interface DrivesOptions {
  readonly drive: DriveHere;
  readonly journal: Journal;
  /** How many drives without an entry are at work: each of them needs a slot as well. */
  readonly onAtWork: (count: number) => void;
  /** For what a person should know: why a run is not driven here that nothing failed for. */
  readonly tell: (sentence: string) => void;
  /** Called with the end of a drive that had no entry any more. */
  readonly onLateFailure: (run: RunId, end: DriveEnd) => Promise<void>;
}

interface Drive {
  /** The end of the entry of the queue that began it. */
  readonly entry: Promise<DriveEnd>;
  readonly stop: AbortController;
  over: Promise<void>;
  hasEntry: boolean;
  isIdle: boolean;
}

const DONE: DriveEnd = { failures: 0, reason: null };

/** Another process drives the run, or nothing is left to drive. */
const NOT_MINE = new Set<FaultCode>(['RUN_BUSY', 'RUN_SETTLED', 'LEASE_LOST', 'LEASE_UNSURE']);

/**
 * The runs that a worker drives. The entry of a run ends when the run has nothing to do here for a while, so that its slot is free
 * for the runs that it waits for; this process keeps its lease and goes on driving it.
 */
export class Drives {
  readonly #options: DrivesOptions;
  readonly #stopping = new AbortController();
  readonly #underWay = new Map<RunId, Drive>();

  constructor(options: DrivesOptions) {
    this.#options = options;
  }

  /** The body of an entry. Throws nothing: DBOS would never start the entry again. */
  async drive(run: RunId, failures: number): Promise<DriveEnd> {
    if (!this.#stopping.signal.aborted) {
      await this.#endLost(run);
      const { entry } = this.#underWay.get(run) ?? this.#begin(run, failures);
      const end = await entry;
      if (!this.#stopping.signal.aborted) return end;
    }
    // What is open when the worker stops must stay open, so that another one takes it.
    return await new Promise<never>(() => undefined);
  }

  /** A run that this process only waits with may have lost its driver by now: this process had no reason to look at its lease. */
  async #endLost(run: RunId): Promise<void> {
    const drive = this.#underWay.get(run);
    if (drive === undefined || drive.hasEntry || (await this.#options.journal.run(run))?.driven === true) return;
    drive.stop.abort();
    await drive.over;
  }

  /** Releases all runs. Those that have no entry are returned: they have to be queued again. */
  async stop(): Promise<readonly RunId[]> {
    this.#stopping.abort();
    const withoutEntry = [...this.#underWay].filter(([, { hasEntry }]) => !hasEntry).map(([run]) => run);
    await Promise.all([...this.#underWay.values()].map(({ over }) => over));
    return withoutEntry;
  }

  #begin(run: RunId, failures: number): Drive {
    const { promise: entry, resolve } = Promise.withResolvers<DriveEnd>();
    const stop = new AbortController();
    const drive: Drive = { entry, stop, over: Promise.resolve(), hasEntry: true, isIdle: false };
    this.#underWay.set(run, drive);
    const onIdle = (isIdle: boolean): void => {
      drive.isIdle = isIdle;
      if (isIdle) this.#endEntry(drive, () => resolve(DONE));
      this.#countAtWork();
    };
    const signal = AbortSignal.any([stop.signal, this.#stopping.signal]);
    drive.over = this.#attempt(run, failures, { signal, onIdle }).then(async (end) => {
      this.#underWay.delete(run);
      if (drive.hasEntry) resolve(end);
      else if (end.failures > 0) await this.#options.onLateFailure(run, end).catch(() => undefined);
      this.#countAtWork();
    });
    return drive;
  }

  /** Not while the worker stops: then it is to be found open. */
  #endEntry(drive: Drive, end: () => void): void {
    if (!drive.hasEntry || this.#stopping.signal.aborted) return;
    drive.hasEntry = false;
    end();
  }

  #countAtWork(): void {
    const atWork = [...this.#underWay.values()].filter(({ hasEntry, isIdle }) => !hasEntry && !isIdle);
    this.#options.onAtWork(atWork.length);
  }

  async #attempt(run: RunId, failures: number, terms: DriveTerms): Promise<DriveEnd> {
    const reason = await this.#drive(run, terms);
    return reason === null ? DONE : { failures: failures + 1, reason };
  }

  /** Why it has to be tried again; null where it has not. */
  async #drive(run: RunId, terms: DriveTerms): Promise<string | null> {
    const { drive, journal, tell } = this.#options;
    try {
      const before = new Set((await journal.inbox(run)).map(({ id }) => id));
      await drive(run, terms);
      const left = await this.#whyLeft(run, before);
      if (left !== null) tell(`Run ${run} is not driven here: ${left}`);
      return left;
    } catch (error) {
      if (isFault(error) && NOT_MINE.has(error.code)) return null;
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** It has something to do, or to hear since before, and would be found and queued again at once, for ever. */
  async #whyLeft(run: RunId, before: ReadonlySet<string>): Promise<string | null> {
    if (this.#stopping.signal.aborted) return null;
    const { journal } = this.#options;
    const info = await journal.run(run);
    if (info === undefined || info.status === 'settled' || info.driven) return null;
    const waiting = await journal.inbox(run);
    const unknown = waiting.find(({ body }) => eventOf(body) === null);
    if (unknown !== undefined) return notUnderstood(unknown);
    const isAtWork = info.status === 'running' && info.isWaitingBelow !== true && info.wakesAt === undefined;
    return isAtWork || waiting.some(({ id }) => before.has(id)) ? LEFT : null;
  }
}

const LEFT = 'The run stopped before its end, and does not say what it waits for.';

function notUnderstood({ id, body }: InboxMessage): string {
  const kind = isJsonObject(body) ? JSON.stringify(body['kind']) : 'none';
  return `This version of Troupe does not understand message ${id} to it (kind: ${kind}). A newer version may have sent it: use one version on all machines.`;
}
