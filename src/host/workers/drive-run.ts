import type { RunId } from '../../core/model/ids.ts';
import type { Host } from '../port.ts';

export interface DriveTerms {
  /** The worker stops when it is aborted. */
  readonly signal: AbortSignal;
  /** Called when this process has nothing to do for the run for a while, and when it has again. */
  readonly onIdle: (isIdle: boolean) => void;
}

/** Drives one run, on the host that drives all runs of its tree here: until only a person can act, or the worker stops. No process holds the run afterwards. */
export async function driveRun(host: Host, run: RunId, { signal, onIdle }: DriveTerms): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const stop = (): void => stopped.resolve();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await host.resume(run, { keepsPause: true });
    const reported = reportIdle(host, run, onIdle);
    await Promise.race([host.rest(run), stopped.promise, reported]);
  } finally {
    signal.removeEventListener('abort', stop);
    await host.leave(run);
  }
}

/** Never resolves: it ends with the host. Rejects where the host does. */
async function reportIdle(host: Host, run: RunId, onIdle: DriveTerms['onIdle']): Promise<never> {
  for (let isIdle = true; await host.untilIdle(run, isIdle); isIdle = !isIdle) onIdle(isIdle);
  return await new Promise<never>(() => undefined);
}
