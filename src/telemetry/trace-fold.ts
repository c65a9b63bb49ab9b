import type { JournalRecord } from '../core/fact.ts';
import type { Trace } from './open-spans.ts';
import { RunSpans } from './run-spans.ts';
import type { Span } from './span.ts';

/**
 * The spans of a run and of all below it: a fold of their records, those of a run above before those of its children. A span
 * comes out when what it tells of is over.
 */
export class TraceFold {
  readonly #trace: Trace;
  readonly #runs = new Map<string, RunSpans>();

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  take(run: string, record: JournalRecord): readonly Span[] {
    const spans = this.#runs.get(run) ?? new RunSpans(this.#trace, run, this.#parentOf(run));
    this.#runs.set(run, spans);
    return spans.take(record);
  }

  /** A child hangs from what started it: the state that called it, or the tool call of an agent. */
  #parentOf(run: string): string | null {
    const cut = run.lastIndexOf('/');
    if (cut < 0) return this.#trace.parentSpanId;
    return this.#runs.get(run.slice(0, cut))?.parentOfChild(run.slice(cut + 1)) ?? this.#trace.parentSpanId;
  }
}
