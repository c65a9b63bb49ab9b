import { Fault } from '../../core/fault.ts';
import type { Journal } from '../../journal/port.ts';
import type { Asking } from '../runs/session.ts';
import type { OpenStore } from '../world/store.ts';
import type { DrivenRuns } from './driven-runs.ts';

/** What all handles of one Troupe share. */
export class OpenProject {
  readonly driven: DrivenRuns;
  readonly #asking: Asking & { readonly store: OpenStore };
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(asking: Asking & { readonly store: OpenStore }, driven: DrivenRuns) {
    this.#asking = asking;
    this.driven = driven;
  }

  /** Who asks. TROUPE_CLOSED once it is closed. */
  asking(by?: string): Asking & { readonly store: OpenStore } {
    this.#closing.signal.throwIfAborted();
    return by === undefined ? this.#asking : { ...this.#asking, by };
  }

  journal(): Journal {
    return this.asking().store.journal;
  }

  /** Does something that is finished before the journal is closed. */
  async finish<Answer>(work: (asking: Asking & { readonly store: OpenStore }) => Promise<Answer>, by?: string) {
    const answer = work(this.asking(by));
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
    }
  }

  /** Ends a wait when the caller no longer wants it, or with TROUPE_CLOSED. */
  waiting(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
  }

  /** False where it was closed before. */
  async close(): Promise<boolean> {
    if (this.#closing.signal.aborted) return false;
    const hint = 'Open the project again with openTroupe.';
    this.#closing.abort(new Fault('TROUPE_CLOSED', 'This Troupe is closed.', { hint }));
    await Promise.all([this.driven.close(), Promise.allSettled(this.#underWay)]);
    return true;
  }
}
