import type { RunId } from '../../core/ids.ts';
import type { LiveEvent } from '../../host/port.ts';
import type { Ordered, OrderAnswer } from '../acts/with-order.ts';
import type { Session } from '../runs/session.ts';

/** Opens what an order is about, and closes it when the work is done. */
export type OpenOrder = (work: (ordered: Ordered) => Promise<void>) => Promise<void>;

/** The runs that this process drives: each until it has ended, or until Troupe is closed. */
export class DrivenRuns {
  readonly #underWay = new Set<Promise<void>>();
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
      await this.#drive(ordered, ordered.taken, { taken, signal });
    });
    const watched = done.catch(taken.reject).finally(() => this.#underWay.delete(watched));
    this.#underWay.add(watched);
    return await taken.promise;
  }

  async #drive(
    { session, answer }: Ordered,
    { run, begin }: Extract<Ordered['taken'], { readonly kind: 'here' }>,
    { taken, signal }: { readonly taken: PromiseWithResolvers<OrderAnswer>; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const { host, by } = session;
    host.onLive(this.#onLive);
    const fault = await begin();
    this.#faults.delete(run);
    if (fault === null) taken.resolve(answer);
    else taken.reject(fault);
    // A run that has ended in the same moment needs no cancelling.
    const cancel = (): void => void host.cancel(run, by, ABORTED).catch(() => undefined);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    const ended = untilEnded(session, run).catch((error: unknown) => void this.#faults.set(run, error));
    await Promise.race([ended, this.#closing.promise]);
    signal?.removeEventListener('abort', cancel);
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
async function untilEnded({ host }: Session, run: RunId): Promise<void> {
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
