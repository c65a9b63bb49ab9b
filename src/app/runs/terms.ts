import type { DeliveryOrder, RunTerms } from '../../core/run-terms.ts';
import type { ResumeOptions } from '../../host/port.ts';
import { defaultLevel } from '../../sandbox/choose-sandbox.ts';
import type { Session } from './session.ts';
import { wishedSandbox } from './wishes.ts';

type Asking = Pick<Session, 'wishes' | 'caller' | 'by'>;

/** What a new run keeps to, whichever process drives it later (R1). */
export function startTerms(session: Asking & Pick<Session, 'project'>): RunTerms {
  const { wishes, by } = session;
  return { delivery: { to: { kind: 'own' }, by, ...wishedDelivery(wishes) }, ...placeTerms(session) };
}

/** The same for one whose files are left where they are made, such as a chat. */
export const placeTerms = ({ wishes, caller, project }: Asking & Pick<Session, 'project'>): RunTerms => ({
  sandbox: wishedSandbox(wishes, caller) ?? project.config.sandbox ?? defaultLevel(),
  ...setupTerm(wishes),
});

/** What is wished of a run that exists; undefined where nothing is. */
export function changedTerms({ wishes, by }: Asking, before: RunTerms): RunTerms | undefined {
  const delivery = wishedDelivery(wishes);
  const known = before.delivery ?? { to: { kind: 'own' as const }, by };
  const changed: RunTerms = {
    ...(Object.keys(delivery).length === 0 ? {} : { delivery: { ...known, ...delivery } }),
    ...setupTerm(wishes),
  };
  return Object.keys(changed).length === 0 ? undefined : changed;
}

function wishedDelivery({ deliver = {} }: Asking['wishes']): Partial<DeliveryOrder> {
  const { to, ...rest } = deliver;
  return { ...rest, ...(to === undefined ? {} : { to: { kind: to === 'branch' ? 'own' : to } }) };
}

const setupTerm = ({ setup }: Asking['wishes']): Pick<RunTerms, 'setup'> => (setup === false ? { setup } : {});

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
    by: asking.by,
  };
}
