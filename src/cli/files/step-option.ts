import type { JournalRecord } from '../../core/fact.ts';
import { Fault } from '../../core/fault.ts';
import { findStep } from '../../core/find-step.ts';

/** The record that a person means by `--at`, `--from` or `--to`. */
export function stepOption(records: readonly JournalRecord[], text: string): number {
  const found = findStep(records, text);
  if (found.ok) return found.seq;
  throw new Fault('STEP_UNKNOWN', found.message, { hint: found.hint, facts: { step: text } });
}
