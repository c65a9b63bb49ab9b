import type { ModulePlace } from './module-worker.ts';
import { isFaultCode } from '../../../core/codes/codes.ts';
import { Worker } from 'node:worker_threads';
import { Fault } from '../../../core/model/fault.ts';
import type { ModuleOrder, ModuleReply, ThreadError } from './module-worker.ts';

/** How long a module may take to load, and each of its functions to return, unless its workflow says otherwise. */
export const CODE_LIMIT_MS = 10_000;

export interface OrderOptions {
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

/** An error of the user's code. */
export class ModuleThreadError extends Error {
  readonly kind: 'stuck' | 'ended' | 'thrown';
  /** The function that was under way; null while the module was loading. */
  readonly calling: string | null;
  readonly origin: ThreadError | null;

  constructor(
    kind: ModuleThreadError['kind'],
    message: string,
    more: { calling: string | null; origin?: ThreadError },
  ) {
    super(message);
    this.kind = kind;
    this.calling = more.calling;
    this.origin = more.origin ?? null;
  }
}

/**
 * The thread of one version of a module (see `module-worker.ts`). Invariants: one order at a time; each is answered once,
 * also when its thread is killed or breaks; a thread that was killed is replaced by the next order; it keeps the process
 * alive only while an order is open.
 */
export class ModuleThread {
  readonly #place: ModulePlace;
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(place: ModulePlace) {
    this.#place = place;
  }

  async give(order: ModuleOrder, options: OrderOptions = {}): Promise<unknown> {
    const answer = this.#last.then(() => this.#perform(order, options));
    this.#last = answer.catch(() => undefined);
    return await answer;
  }

  /** When what was ordered is done. */
  close(): void {
    void this.#last.then(() => this.#kill());
  }

  async #perform(order: ModuleOrder, { limitMs = CODE_LIMIT_MS, signal }: OrderOptions): Promise<unknown> {
    signal?.throwIfAborted();
    const worker = this.#open();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let calling: string | null = null;
    const stuck = (): void => {
      const text = `did not return within ${limitMs / 1000} s and was stopped`;
      reject(new ModuleThreadError('stuck', text, { calling }));
    };
    // A busy main thread may see the alarm before an answer that was in time: handle the answer first.
    const timer = setTimeout(() => void setImmediate(stuck), limitMs);
    const onMessage = (reply: ModuleReply): void => {
      if (reply.kind === 'done') return resolve(JSON.parse(reply.value));
      if (reply.kind === 'failed') return reject(failureOf(reply.error, calling));
      calling = reply.name;
      timer.refresh();
    };
    const onError = (error: Error): void => reject(new ModuleThreadError('thrown', error.message, { calling }));
    const onExit = (): void => reject(new ModuleThreadError('ended', 'ended the thread it runs in', { calling }));
    const onAbort = (): void => reject(signal?.reason as Error);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    signal?.addEventListener('abort', onAbort);
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(order);
    try {
      return await promise;
    } catch (error) {
      if (!(error instanceof ModuleThreadError && error.origin !== null) && !(error instanceof Fault)) this.#kill();
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit).unref();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #open(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(workerFile(), { workerData: this.#place });
    worker.unref();
    // Code left running may break it between two orders; without a listener that would end the process.
    worker.on('error', () => undefined).on('exit', () => this.#forget(worker));
    this.#worker = worker;
    return worker;
  }

  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
  }

  #kill(): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }
}

/** A fault of Troupe's own stays one. */
function failureOf(error: ThreadError, calling: string | null): Error {
  const { name, code, message, hint, problems } = error;
  if (name === 'Fault' && code !== null && isFaultCode(code)) {
    return new Fault(code, message, { ...(hint === undefined ? {} : { hint }), problems });
  }
  return new ModuleThreadError('thrown', message, { calling, origin: error });
}

/** Run from sources the thread is a source too; in a bundle it is next to the bundle. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './module-worker.ts' : './module-worker.js', import.meta.url);
}

const threads = new Map<string, { readonly hash: string; readonly thread: ModuleThread }>();

/** One for each module; another version of it gets another, and the one before ends. */
export function moduleThread(place: ModulePlace): ModuleThread {
  const known = threads.get(place.path);
  if (known?.hash === place.hash) return known.thread;
  known?.thread.close();
  const thread = new ModuleThread(place);
  threads.set(place.path, { hash: place.hash, thread });
  return thread;
}
