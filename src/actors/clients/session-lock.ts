/**
 * Clients keep no lock on their conversations: of two processes that go on in the same one, one vanishes from its history.
 * So who comes second waits, until the signal tells it not to.
 */
export async function aloneIn<Value>(session: string, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  const before = busy.get(session);
  const { promise, resolve } = Promise.withResolvers<void>();
  const own = before === undefined ? promise : before.then(() => promise);
  busy.set(session, own);
  try {
    if (before !== undefined) await Promise.race([before, aborted(signal)]);
    signal.throwIfAborted();
    return await work();
  } finally {
    resolve();
    if (busy.get(session) === own) busy.delete(session);
  }
}

/** Of this process; a run is driven by one. */
const busy = new Map<string, Promise<void>>();

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}
