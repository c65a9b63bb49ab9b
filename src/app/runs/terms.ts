import { wishedSandbox } from '../config/sandbox-level.ts';
import type { DeliveryOrder, RunTerms } from '../../core/model/run-terms.ts';
import type { ResumeOptions } from '../../host/port.ts';
import { defaultLevel } from '../../sandbox/find-sandbox.ts';
import type { Session } from './session.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Limits } from '../../core/model/workflow.ts';
import type { Wishes } from '../../protocol/operations/wishes.ts';
import type { RunId } from '../../core/model/ids.ts';
import { untilConsumed } from './inbox-wait.ts';

/** In the engine's units. */
export function wishedLimits({ limits = {} }: Wishes): Partial<Limits> {
  const { duration, ...rest } = limits;
  return { ...rest, ...(duration === undefined ? {} : { durationMs: duration * 1000 }) };
}

type Asking = Pick<Session, 'wishes' | 'caller' | 'by' | 'handedOver'>;

/** The terms of a new run, for every process that drives it later (R1). */
export function startTerms(session: Asking & Pick<Session, 'project' | 'schedule'>): RunTerms {
  const { wishes, by, schedule } = session;
  return {
    delivery: { to: { kind: 'own' }, by, ...wishedDelivery(wishes) },
    ...placeTerms(session),
    ...(schedule === undefined ? {} : { schedule }),
  };
}

/** The same for one whose files are left where they are made, such as a chat. */
export const placeTerms = ({ wishes, caller, project }: Asking & Pick<Session, 'project'>): RunTerms => ({
  sandbox: wishedSandbox(wishes, caller) ?? project.config.sandbox ?? defaultLevel(),
  ...wishedTerms(wishes),
});

/** The changed terms of an existing run; undefined without a change. */
export function changedTerms({ wishes, by }: Asking, before: RunTerms): RunTerms | undefined {
  const delivery = wishedDelivery(wishes);
  const known = before.delivery ?? { to: { kind: 'own' as const }, by };
  const changed: RunTerms = {
    ...(Object.keys(delivery).length === 0 ? {} : { delivery: { ...known, ...delivery } }),
    ...wishedTerms(wishes),
  };
  return Object.keys(changed).length === 0 ? undefined : changed;
}

function wishedDelivery({ deliver = {} }: Asking['wishes']): Partial<DeliveryOrder> {
  const { to, ...rest } = deliver;
  return { ...rest, ...(to === undefined ? {} : { to: { kind: to === 'branch' ? 'own' : to } }) };
}

const wishedTerms = ({ setup, labels }: Asking['wishes']): Pick<RunTerms, 'setup' | 'labels'> => ({
  ...(setup === false ? { setup } : {}),
  ...(labels === undefined ? {} : { labels }),
});

/**
 * How a run is taken up again. A different sandbox needs a word for this run: neither a setting nor a variable of the
 * environment changes what a run began with.
 */
export function resumeOptions(asking: Asking, before: RunTerms): ResumeOptions {
  const { sandbox } = asking.wishes;
  const terms = changedTerms(asking, before);
  return {
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(terms === undefined ? {} : { terms }),
    ...(asking.handedOver === undefined ? {} : { from: asking.handedOver }),
    by: asking.by,
  };
}

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

/** Of those that are meant for the process that drives the run. RUN_BUSY. */
export function refuseUnreachable(
  { models = [], sandbox, setup }: Pick<Wishes, 'models' | 'sandbox'> & { readonly setup?: boolean | undefined },
  run: RunId,
): void {
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
