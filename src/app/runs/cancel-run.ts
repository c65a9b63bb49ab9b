import type { RunId } from '../../core/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import { untilConsumed } from './inbox-wait.ts';
import { refuseSettled } from './pause-run.ts';
import type { Session } from './session.ts';

/** Ends a run for good, wherever it is driven. */
export async function cancelRun(session: Session, info: RunInfo, reason: string): Promise<void> {
  refuseSettled(info);
  await (info.driven ? cancelElsewhere : cancelHere)(session, info.run, reason);
}

async function cancelElsewhere(session: Session, run: RunId, reason: string): Promise<void> {
  const { host, store, by } = session;
  await host.cancel(run, by, reason);
  if (!(await untilConsumed(store.journal, [run]))) await cancelHere(session, run, reason);
}

/** The message waits in the inbox before the run is taken up, so that taking it up starts as little as possible. */
async function cancelHere({ host, by }: Session, run: RunId, reason: string): Promise<void> {
  await host.cancel(run, by, reason);
  await host.resume(run, { by });
  const { status } = await host.rest(run);
  if (status !== 'settled') await host.cancel(run, by, reason);
  await host.rest(run);
}
