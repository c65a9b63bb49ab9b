import { existsSync } from 'node:fs';
import { owedDelivery } from '../../core/step/delivery.ts';
import { isFault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { projectId } from '../../workspace/travel/project-id.ts';
import type { Host, LiveEvent, RunRest } from '../../host/port.ts';
import { isTreeAtRest } from './tree-at-rest.ts';
import { queueRun } from './queue-run.ts';
import type { Session } from './session.ts';
import { TreeReader, watchChanges } from './tree-reader.ts';

/** How long a silent journal is trusted: a worker that was killed writes nothing to say so. */
const PATIENCE_MS = 500;

/**
 * A run that workers drive, as a process sees it that stays with it: its records as they come, and when it rests. The result is
 * delivered by this process, which has the user's files.
 */
export class FollowedRun implements Pick<Host, 'rest' | 'answer' | 'onLive' | 'shutdown'> {
  readonly #session: Session;
  readonly #run: RunId;
  readonly #reader: TreeReader;
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  readonly #stopping = new AbortController();
  #waiting: PromiseWithResolvers<RunRest>[] = [];
  #reading: Promise<void> | null = null;
  #hasDelivered = false;

  /** `reader`: what it has read already is not given again. */
  constructor(session: Session, run: RunId, reader = new TreeReader(session.store.journal, run)) {
    this.#session = session;
    this.#run = run;
    this.#reader = reader;
  }

  onLive(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when all records until then were given to the listeners. */
  rest(): Promise<RunRest> {
    const waiting = Promise.withResolvers<RunRest>();
    this.#waiting.push(waiting);
    this.#reading ??= this.#read();
    return waiting.promise;
  }

  async answer(run: RunId, given: Parameters<Host['answer']>[1]): Promise<'taken' | 'sent'> {
    const taken = await this.#session.host.answer(run, given);
    await queueRun(this.#session, run);
    return taken;
  }

  /** The run goes on without this process. */
  async shutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#reading;
  }

  async #read(): Promise<void> {
    const { signal } = this.#stopping;
    const { journal } = this.#session.store;
    const changes = watchChanges(journal);
    signal.addEventListener('abort', changes.wake, { once: true });
    try {
      while (!signal.aborted) {
        // Asked before reading: all that was written before the rest is then certainly read.
        const rest = await this.#restNow();
        const news = await this.#reader.readOn();
        for (const { run, record } of news)
          for (const listener of this.#listeners) listener({ kind: 'record', run, record });
        if (news.length > 0) continue;
        if (rest !== null) for (const waiting of this.#waiting.splice(0)) waiting.resolve(rest);
        await changes.next(PATIENCE_MS);
      }
    } catch (error) {
      for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
    } finally {
      signal.removeEventListener('abort', changes.wake);
      changes.close();
      this.#reading = null;
    }
  }

  /** Null while it goes on, or while it has not heard all that was said to it. */
  async #restNow(): Promise<RunRest | null> {
    const { host, store } = this.#session;
    const info = await store.journal.run(this.#run);
    if (info === undefined || info.driven) return null;
    if (info.status !== 'settled')
      return (await isTreeAtRest(store.journal, this.#run)) ? await host.rest(this.#run).catch(ifGoesOn) : null;
    const snapshot = await host.snapshot(this.#run);
    if (this.#hasDelivered || owedDelivery(snapshot) === null || !(await this.#hasProject(snapshot)))
      return await host.rest(this.#run);
    await this.#deliver();
    return null;
  }

  /** Only the machine that the run came from has the files that its result belongs to. */
  async #hasProject({ project, origin }: Snapshot): Promise<boolean> {
    return existsSync(project) && (await projectId(project)) === origin?.id;
  }

  async #deliver(): Promise<void> {
    const { host, by } = this.#session;
    try {
      await host.resume(this.#run, { by });
      this.#hasDelivered = true;
      await host.rest(this.#run);
    } catch (error) {
      // Another process brings it to the user.
      if (!isFault(error) || (error.code !== 'RUN_BUSY' && error.code !== 'RUN_SETTLED')) throw error;
    }
  }
}

/** Somebody has answered at this moment. */
function ifGoesOn(error: unknown): null {
  if (isFault(error) && error.code === 'RUN_NOT_DRIVEN') return null;
  throw error;
}
