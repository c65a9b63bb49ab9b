import type { RunId } from '../../core/ids.ts';
import type { Host } from '../port.ts';

/** Drives one run on a host of its own: until only a person can act, or the worker stops. Nobody holds the run afterwards. */
export async function driveRun(host: Host, run: RunId, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await host.resume(run, { keepsPause: true });
    await Promise.race([host.rest(run), stopped]);
  } finally {
    await host.shutdown();
  }
}
