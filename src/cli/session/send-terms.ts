import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Invocation } from '../command-spec.ts';
import { flag, listOption, textOption } from '../invocation.ts';
import { personName } from './drive.ts';
import type { Driving } from './driving.ts';
import { untilConsumed } from '../../app/runs/inbox-wait.ts';
import { changedTerms } from './run-terms-option.ts';

/** `none`: the command line says nothing about the terms; `left`: the process that drove the run is gone. */
export type SentTerms = 'none' | 'taken' | 'left';

/**
 * Changes the terms of a run that another process drives, as this command line says. Options that cannot reach that process are
 * refused before anything is sent, so that none is ignored silently.
 */
export async function sendTerms({ host, store, invocation }: Driving, run: RunId): Promise<SentTerms> {
  refuseUnreachable(invocation, run);
  const terms = changedTerms(invocation, (await host.snapshot(run)).terms);
  if (terms === undefined) return 'none';
  await host.changeTerms(run, terms, personName());
  return (await untilConsumed(store.journal, [run])) ? 'taken' : 'left';
}

function refuseUnreachable(invocation: Invocation, run: RunId): void {
  const given = [
    ...(listOption(invocation, 'model').length > 0 ? ['--model'] : []),
    ...(textOption(invocation, 'sandbox') === undefined ? [] : ['--sandbox']),
    ...(invocation.options['setup'] === false ? ['--no-setup'] : []),
    ...(flag(invocation, 'web') ? ['--web'] : []),
  ];
  if (given.length === 0) return;
  const names = given.join(', ');
  throw new Fault('RUN_BUSY', `Another process drives run ${run}, and ${names} would not reach it. Nothing was sent.`, {
    hint: `Leave ${names} out, or pause the run first: troupe pause ${run}`,
  });
}
