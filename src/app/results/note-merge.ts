import { isFault } from '../../core/fault.ts';
import { deliveryFact } from '../../host/deliver/delivery-fact-of.ts';
import type { MergeOutcome } from '../../host/deliver/merge-outcome.ts';
import type { RunResult } from '../../host/deliver/run-result.ts';
import type { Session } from '../runs/session.ts';

/** Writes down what a person's own merge came to, so that it is shown wherever the run is. */
export async function noteMerge({ host, by }: Session, result: RunResult, outcome: MergeOutcome): Promise<void> {
  if (outcome.kind === 'merge.unchanged') return;
  try {
    await host.note(result.run, deliveryFact(result, outcome, by));
  } catch (error) {
    // Another process drives the run: what it has made so far is shown here, and it goes on.
    if (!isFault(error) || error.code !== 'RUN_BUSY') throw error;
  }
}
