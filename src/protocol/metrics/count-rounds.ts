import { STEP_BEGIN, STEP_COLLECT } from '../../core/model/step-program.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import type { KnownTask } from '../history/task-book.ts';
import type { Tally } from './tally.ts';

/**
 * Counts the rounds of a loop with the unit they belong to: a unit that restarts a step for each round, in its own run,
 * calls the repeated work from there.
 */
export class RoundCounter {
  readonly #tally: Tally;
  /** The state of the run above that it is a unit of. */
  readonly #within: () => string | null;
  /** Units with collected files. */
  #done = 0;
  #since: number | null = null;
  /** The workflow that the phases belong to, once something was looked at again. */
  #whole: string | null = null;

  constructor(tally: Tally, within: () => string | null) {
    this.#tally = tally;
    this.#within = within;
  }

  /** `run`: how it stands now, and what it is a run of. */
  end(
    { work, time }: KnownTask,
    outcome: Outcome,
    run: { readonly workedMs: number; readonly workflow: string },
  ): void {
    const { workedMs } = run;
    const took = time?.workedMs ?? 0;
    const isAgain = work.kind === 'call' && this.#since !== null && wholeOf(work.workflow) === wholeOf(run.workflow);
    if (isAgain) this.#again(work.workflow, outcome, took);
    if (work.kind !== 'compute') return;
    if (work.program === STEP_BEGIN) this.#since = workedMs - took;
    if (work.program === STEP_COLLECT && outcome === 'ok') this.#own(work.input, workedMs);
  }

  #again(workflow: string, outcome: Outcome, ms: number): void {
    const whole = wholeOf(workflow);
    if (whole === null) return;
    const phase = workflow.slice(whole.length + 1);
    this.#tally.phase({ workflow: whole, phase, within: this.#within() }).add(outcome, ms);
    this.#whole = whole;
  }

  /** The first round is the phase itself, which is counted where it ends. */
  #own(input: Json, workedMs: number): void {
    this.#done += 1;
    const { phase } = isJsonObject(input) ? input : {};
    if (this.#done === 1 || this.#whole === null || typeof phase !== 'string') return;
    const took = workedMs - (this.#since ?? workedMs);
    this.#tally.phase({ workflow: this.#whole, phase, within: this.#within() }).add('ok', took);
  }
}

/** A part of a workflow is called `WORKFLOW/PART`. */
function wholeOf(workflow: string): string | null {
  const cut = workflow.lastIndexOf('/');
  return cut < 1 ? null : workflow.slice(0, cut);
}
