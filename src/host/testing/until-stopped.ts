import type { CallReply, CallRequest } from '../../actors/port.ts';

/** An actor that answers nothing until it is stopped. */
export function untilStopped() {
  const started = Promise.withResolvers<void>();
  let isStopped = false;
  const answer = (_request: CallRequest, signal: AbortSignal): Promise<CallReply> => {
    started.resolve();
    const { promise, resolve } = Promise.withResolvers<CallReply>();
    signal.addEventListener('abort', () => {
      isStopped = true;
      resolve({ kind: 'failed', failure: { code: 'CANCELLED', message: 'stopped', class: 'cancelled' } });
    });
    return promise;
  };
  return { answer, started: started.promise, wasStopped: () => isStopped };
}
