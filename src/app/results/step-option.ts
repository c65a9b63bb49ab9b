import type { JournalRecord } from '../../core/fact.ts';
import { Fault } from '../../core/fault.ts';
import { findStep } from '../../core/find-step.ts';

/** The record that a person means by `--at`, `--from` or `--to`. */
export function stepOption(records: readonly JournalRecord[], text: string): number {
  const found = findStep(records, text);
  if (found.ok) return found.seq;
  throw new Fault('STEP_UNKNOWN', found.message, { hint: found.hint, facts: { step: text } });
}

/** Why a run is taken up at another record than was asked for; empty where it is that one. */
export function movedStepText(asked: number, taken: number): string {
  if (asked === taken) return '';
  return ` Record ${asked} is in the middle of a step, and ${taken} is the next at which the run stood.`;
}
