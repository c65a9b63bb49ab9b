import type { Purpose } from '../../app/world/purpose.ts';
import { withRun as withRunOf, type NamedRun } from '../../app/runs/with-run.ts';
import type { Session } from '../../app/runs/session.ts';
import type { RunInfo } from '../../journal/port.ts';
import { askingOf } from '../asking.ts';
import type { Invocation } from '../command-spec.ts';
import { flag, word } from '../invocation.ts';
import type { Driving } from '../session/driving.ts';

type Work<Result> = (driving: Driving, info: RunInfo) => Promise<Result>;

/** Opens the run that the first word names. */
export async function withNamedRun<Result>(
  invocation: Invocation,
  work: Work<Result>,
  purpose: Purpose = 'look',
): Promise<Result> {
  return await opened(invocation, { purpose }, work);
}

/** The same where a run below another one may be named as well. */
export async function withRunOrChild<Result>(
  invocation: Invocation,
  work: Work<Result>,
  purpose: Purpose = 'look',
): Promise<Result> {
  return await opened(invocation, { purpose, allowsChild: true }, work);
}

async function opened<Result>(
  invocation: Invocation,
  how: Omit<NamedRun, 'named'>,
  work: Work<Result>,
): Promise<Result> {
  const named = word(invocation, 0) ?? 'last';
  return await withRunOf(askingOf(invocation), { named, ...how }, (session, info) =>
    work(drivingOf(invocation, session), info),
  );
}

export const drivingOf = (invocation: Invocation, session: Session): Driving => ({
  ...session,
  terminal: invocation.terminal,
  opensPage: flag(invocation, 'web'),
});
