import type { LimitName } from '../../core/fact.ts';
import { DEFAULT_LIMITS, type Limits, type Workflow } from '../../core/workflow.ts';
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

/** A flag wins over everything; else the tighter of the workflow's own limit and the configured one holds. */
export function limitsFor(workflow: Workflow, configured: Partial<Limits>, flags: Partial<Limits>): Partial<Limits> {
  const tighter = Object.entries(configured).filter(([name, value]) => {
    const own = workflow.limits[name as LimitName];
    const isDefault = own === undefined || own === (DEFAULT_LIMITS as Partial<Limits>)[name as LimitName];
    return isDefault || value < own;
  });
  return { ...Object.fromEntries(tighter), ...flags };
}
