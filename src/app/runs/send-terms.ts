import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Session } from './session.ts';
import { untilConsumed } from './inbox-wait.ts';
import { changedTerms } from './terms.ts';
import type { Wishes } from '../../protocol/operations/wishes.ts';

/** `none`: nothing is wished of the terms; `left`: the process that drove the run is gone. */
export type SentTerms = 'none' | 'taken' | 'left';

/**
 * Changes the terms of a run that another process drives. Wishes that cannot reach that process are refused before anything is
 * sent, so that none is ignored silently.
 */
export async function sendTerms(session: Session, run: RunId): Promise<SentTerms> {
  const { host, store, by } = session;
  refuseUnreachable(session.wishes, run);
  const terms = changedTerms(session, (await host.snapshot(run)).terms);
  if (terms === undefined) return 'none';
  await host.changeTerms(run, terms, by);
  return (await untilConsumed(store.journal, [run])) ? 'taken' : 'left';
}

function refuseUnreachable({ models = [], sandbox, setup }: Wishes, run: RunId): void {
  const given = [
    ...(models.length > 0 ? ['--model'] : []),
    ...(sandbox === undefined ? [] : ['--sandbox']),
    ...(setup === false ? ['--no-setup'] : []),
  ];
  if (given.length > 0) throw unreachableRun(run, given);
}

export function unreachableRun(run: RunId, given: readonly string[]): Fault {
  const names = given.join(', ');
  return new Fault(
    'RUN_BUSY',
    `Another process drives run ${run}, and ${names} would not reach it. Nothing was sent.`,
    {
      hint: `Leave ${names} out, or pause the run first: troupe pause ${run}`,
    },
  );
}
