import { Fault } from '../../core/fault.ts';
import type { Journal } from '../../journal/port.ts';
import type { Asking } from '../runs/session.ts';
import type { OpenStore } from '../world/store.ts';
import type { DrivenRuns } from './driven-runs.ts';

/** What all handles of one Troupe share. */
export class OpenProject {
  readonly driven: DrivenRuns;
  readonly #asking: Asking & { readonly store: OpenStore };
  #isClosed = false;

  constructor(asking: Asking & { readonly store: OpenStore }, driven: DrivenRuns) {
    this.#asking = asking;
    this.driven = driven;
  }

  /** Who asks. TROUPE_CLOSED once it is closed. */
  asking(by?: string): Asking & { readonly store: OpenStore } {
    if (this.#isClosed)
      throw new Fault('TROUPE_CLOSED', 'This Troupe is closed.', { hint: 'Open the project again with openTroupe.' });
    return by === undefined ? this.#asking : { ...this.#asking, by };
  }

  journal(): Journal {
    return this.asking().store.journal;
  }

  /** False where it was closed before. */
  async close(): Promise<boolean> {
    if (this.#isClosed) return false;
    this.#isClosed = true;
    await this.driven.close();
    return true;
  }
}
