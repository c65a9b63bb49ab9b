import { resolve } from 'node:path';
import type { DeliveryOrder, RunTerms } from '../../core/run-terms.ts';
import type { ResumeOptions } from '../../host/port.ts';
import { defaultLevel } from '../../sandbox/choose-sandbox.ts';
import type { Invocation } from '../command-spec.ts';
import type { Config } from '../../app/config/config.ts';
import { flag, textOption } from '../invocation.ts';
import { personName } from './drive.ts';
import { sandboxOption } from './sandbox-option.ts';

/** What a new run keeps to, whichever process drives it later (R1). */
export function startTerms(invocation: Invocation, config: Config): RunTerms {
  const delivery = changedDelivery(invocation, { to: { kind: 'own' }, by: personName() });
  return { delivery, ...placeTerms(invocation, config) };
}

/** The same for one whose files are left where they are made, such as a chat. */
export const placeTerms = (invocation: Invocation, config: Config): RunTerms => ({
  sandbox: sandboxOption(invocation) ?? config.sandbox ?? defaultLevel(),
  ...setupTerm(invocation),
});

/** What is said about a run that exists: only what stands on this command line changes its terms. */
export function changedTerms(invocation: Invocation, before: RunTerms): RunTerms | undefined {
  const isDelivery = DELIVERY_OPTIONS.some((name) => invocation.options[name] !== undefined);
  const delivery = before.delivery ?? { to: { kind: 'own' as const }, by: personName() };
  const changed: RunTerms = {
    ...(isDelivery ? { delivery: changedDelivery(invocation, delivery) } : {}),
    ...setupTerm(invocation),
  };
  return Object.keys(changed).length === 0 ? undefined : changed;
}

const DELIVERY_OPTIONS = ['apply', 'allowPartial', 'allowSteering', 'out', 'verify'];

function changedDelivery(invocation: Invocation, before: DeliveryOrder): DeliveryOrder {
  const [verify, out] = [textOption(invocation, 'verify'), textOption(invocation, 'out')];
  return {
    ...before,
    ...(flag(invocation, 'apply') ? { to: { kind: 'apply' } } : {}),
    ...(verify === undefined ? {} : { verify }),
    ...(flag(invocation, 'allowPartial') ? { allowsPartial: true } : {}),
    ...(flag(invocation, 'allowSteering') ? { allowsSteering: true } : {}),
    ...(out === undefined ? {} : { copyTo: resolve(invocation.terminal.folder, out) }),
  };
}

const setupTerm = ({ options }: Invocation): Pick<RunTerms, 'setup'> =>
  options['setup'] === false ? { setup: false } : {};

/**
 * How a run is taken up again. Another sandbox needs a word on this command line: neither a setting nor a variable of the
 * environment changes what a run began with.
 */
export function resumeOptions(invocation: Invocation, before: RunTerms): ResumeOptions {
  const level = textOption(invocation, 'sandbox') === undefined ? null : sandboxOption(invocation);
  const terms = changedTerms(invocation, before);
  return {
    ...(level === null ? {} : { sandbox: level }),
    ...(terms === undefined ? {} : { terms }),
    by: personName(),
  };
}
