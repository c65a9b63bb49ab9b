import type { LimitName } from '../../core/fact.ts';
import type { Limits } from '../../core/workflow.ts';
import type { Invocation } from '../command-spec.ts';
import { amountOption, countOption } from '../invocation.ts';

/** The limits given on the command line, in the engine's units. */
export function limitsFromFlags(invocation: Invocation): Partial<Limits> {
  const seconds = amountOption(invocation, 'maxDuration', 'above zero');
  const given: Readonly<Record<LimitName, number | undefined>> = {
    iterations: countOption(invocation, 'maxIterations'),
    toolRounds: countOption(invocation, 'maxToolRounds'),
    durationMs: seconds === undefined ? undefined : seconds * 1000,
    tokens: countOption(invocation, 'maxTokens'),
    usd: amountOption(invocation, 'maxUsd', 'zero'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
