import type { RunId } from '../../core/model/ids.ts';
import type { RunActivity, Host } from '../port.ts';

export interface DriveTerms {
  /** The worker stops when it is aborted. */
  readonly signal: AbortSignal;
  /** Called when this process has nothing to do for the run for a while, and when it has again. */
  readonly onIdle: (isIdle: boolean) => void;
}

/** Drives one run, on the host that drives all runs of its tree here: until only a person can act, it sleeps for long, or the worker stops. No process holds the run afterwards. */
export async function driveRun(host: Host, run: RunId, { signal, onIdle }: DriveTerms): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const stop = (): void => stopped.resolve();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await host.resume(run, { keepsPause: true });
    for (let isOver = false; !isOver;) {
      const why = await Promise.race([host.rest(run), stopped.promise, untilAsleep(host, run, onIdle)]);
      // A message or an alarm may have come since.
      isOver = why !== 'asleep' || (await host.leave(run, { isOnlyAsleep: true }));
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await host.leave(run);
  }
}

/** Where it never sleeps for long, it never resolves: it ends with the host. Rejects where the host does. */
async function untilAsleep(host: Host, run: RunId, onIdle: DriveTerms['onIdle']): Promise<'asleep'> {
  for (let before: RunActivity = 'at work'; ;) {
    const now = await host.nextActivity(run, before);
    if (now === null) return await new Promise<never>(() => undefined);
    if (now === 'asleep') return now;
    onIdle(now === 'idle');
    before = now;
  }
}
