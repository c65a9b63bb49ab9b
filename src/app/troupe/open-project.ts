import { Fault } from '../../core/model/fault.ts';
import type { Journal } from '../../journal/port.ts';
import type { Asking } from '../runs/session.ts';
import type { OpenStore } from '../world/store.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Host, LiveEvent } from '../../host/port.ts';
import { FollowedRun } from '../runs/followed-run.ts';
import type { Begin } from '../runs/going-on.ts';
import type { OrderAnswer, Ordered } from '../acts/with-order.ts';

/** Opens what an order is about, and closes it when the work is done. */
export type OpenOrder = (work: (ordered: Ordered) => Promise<void>) => Promise<void>;

/** The runs that this process drives: each until it has ended, or until Troupe is closed. */
export class RunsUnderWay {
  readonly #underWay = new Set<Promise<void>>();
  readonly #present = new Set<RunId>();
  readonly #faults = new Map<RunId, unknown>();
  readonly #closing = Promise.withResolvers<void>();
  readonly #onLive: (event: LiveEvent) => void;

  constructor(onLive: (event: LiveEvent) => void = () => undefined) {
    this.#onLive = onLive;
  }

  /** Resolves once the order is taken; the run goes on in the background. Aborting the signal cancels it. */
  async carryOut(open: OpenOrder, signal?: AbortSignal): Promise<OrderAnswer> {
    const taken = Promise.withResolvers<OrderAnswer>();
    const done = open(async (ordered) => {
      if (ordered.taken.kind === 'elsewhere') return taken.resolve(ordered.answer);
      // Of a run that it stays with already, this process hears everything once.
      if (ordered.taken.kind === 'queued' && this.#present.has(ordered.taken.run))
        return await this.#begin(ordered, ordered.taken, taken);
      await this.#drive(ordered, ordered.taken, { taken, signal });
    });
    const watched = done.catch(taken.reject).finally(() => this.#underWay.delete(watched));
    this.#underWay.add(watched);
    return await taken.promise;
  }

  async #drive(
    ordered: Ordered,
    begun: Begin,
    { taken, signal }: { readonly taken: PromiseWithResolvers<OrderAnswer>; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const { session } = ordered;
    const { host, by } = session;
    const { kind, run } = begun;
    const followed = kind === 'queued' ? new FollowedRun(session, run) : host;
    followed.onLive(this.#onLive);
    await this.#begin(ordered, begun, taken);
    // A run that has ended in the same moment needs no cancelling.
    const cancel = (): void => void host.cancel(run, by, ABORTED).catch(() => undefined);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    this.#present.add(run);
    const ended = untilEnded(followed, run).catch((error: unknown) => void this.#faults.set(run, error));
    await Promise.race([ended, this.#closing.promise]);
    this.#present.delete(run);
    if (kind === 'queued') await followed.shutdown();
    signal?.removeEventListener('abort', cancel);
  }

  async #begin({ answer }: Ordered, { run, begin }: Begin, taken: PromiseWithResolvers<OrderAnswer>): Promise<void> {
    const fault = await begin();
    this.#faults.delete(run);
    if (fault === null) taken.resolve(answer);
    else taken.reject(fault);
  }

  /** Whether this process drives the run, or stays with it to deliver its result. */
  isPresent(run: RunId): boolean {
    return this.#present.has(run);
  }

  /** Why this process could not drive the run on; undefined where nothing went wrong. */
  faultOf(run: RunId): unknown {
    return this.#faults.get(run);
  }

  /** Stops driving. The runs stay as they are, and any process can resume them. */
  async close(): Promise<void> {
    this.#closing.resolve();
    await Promise.all(this.#underWay);
  }
}

const ABORTED = 'aborted by the program that started it';

/** A run that waits for a person goes on here as soon as one answers, through whichever process. */
async function untilEnded(host: Pick<Host, 'rest' | 'onLive'>, run: RunId): Promise<void> {
  let next = Promise.withResolvers<void>();
  const stop = host.onLive(() => next.resolve());
  try {
    while ((await host.rest(run)).status !== 'settled') {
      await next.promise;
      next = Promise.withResolvers<void>();
    }
  } finally {
    stop();
  }
}

/** What all handles of one Troupe share. */
export class OpenProject {
  readonly driven: RunsUnderWay;
  readonly #asking: Asking & { readonly store: OpenStore };
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(asking: Asking & { readonly store: OpenStore }, driven: RunsUnderWay) {
    this.#asking = asking;
    this.driven = driven;
  }

  /** Who asks. TROUPE_CLOSED once it is closed. */
  asking(by?: string): Asking & { readonly store: OpenStore } {
    this.#closing.signal.throwIfAborted();
    return by === undefined ? this.#asking : { ...this.#asking, by };
  }

  journal(): Journal {
    return this.asking().store.journal;
  }

  /** Does something that is finished before the journal is closed. */
  async finish<Answer>(work: (asking: Asking & { readonly store: OpenStore }) => Promise<Answer>, by?: string) {
    const answer = work(this.asking(by));
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
    }
  }

  /** Ends a wait when the caller no longer wants it, or with TROUPE_CLOSED. */
  waiting(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
  }

  async close(): Promise<void> {
    const hint = 'Open the project again with openTroupe.';
    this.#closing.abort(new Fault('TROUPE_CLOSED', 'This Troupe is closed.', { hint }));
    await Promise.all([this.driven.close(), Promise.allSettled(this.#underWay)]);
  }
}
