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

  /** Ends a wait when the caller no longer wants it, or with TROUPE_CLOSED. */
  waiting(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
  }

  /** False where it was closed before. */
  async close(): Promise<boolean> {
    if (this.#closing.signal.aborted) return false;
    const hint = 'Open the project again with openTroupe.';
    this.#closing.abort(new Fault('TROUPE_CLOSED', 'This Troupe is closed.', { hint }));
    await this.driven.close();
    return true;
  }
}
