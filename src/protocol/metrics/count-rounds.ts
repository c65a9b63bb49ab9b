import { isJsonObject, type Json } from '../../core/model/json.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import type { KnownTask } from '../history/task-book.ts';
import type { PhaseName, Tally } from './tally.ts';

/**
 * Counts the rounds of a fix loop with the phases they are rounds of: what is looked at again is called by the run of the
 * phase that mends, and each of that one's own rounds after the first begins anew there.
 */
export class RoundCounter {
  readonly #tally: Tally;
  /** Those whose files were collected. */
  #done = 0;
  #since = 0;
  /** The workflow that the phases belong to, once something was looked at again. */
  #whole: string | null = null;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** `workedMs`: the run's until now. */
  end({ work, state, time }: KnownTask, outcome: Outcome, workedMs: number): void {
    const took = time?.workedMs ?? 0;
    if (work.kind === 'call' && /^again_\d+$/.test(state)) this.#again(work.workflow, outcome, took);
    if (work.kind !== 'compute') return;
    if (work.program === 'phase.begin') this.#since = workedMs - took;
    if (work.program === 'phase.collect' && outcome === 'ok') this.#own(work.input, workedMs);
  }

  #again(workflow: string, outcome: Outcome, ms: number): void {
    const phase = phaseOf(workflow);
    if (phase === null) return;
    this.#tally.phase(phase).add(outcome, ms);
    this.#whole = phase.workflow;
  }

  /** The first round is the phase itself, which is counted where it ends. */
  #own(input: Json, workedMs: number): void {
    this.#done += 1;
    const { phase } = isJsonObject(input) ? input : {};
    if (this.#done === 1 || this.#whole === null || typeof phase !== 'string') return;
    this.#tally.phase({ workflow: this.#whole, phase, within: PHASES }).add('ok', workedMs - this.#since);
  }
}

/** The state that all phases run in. */
const PHASES = 'phases';

function phaseOf(workflow: string): PhaseName | null {
  const cut = workflow.lastIndexOf('/');
  return cut < 1 ? null : { workflow: workflow.slice(0, cut), phase: workflow.slice(cut + 1), within: PHASES };
}
