import type { Caller } from '../caller.ts';
import type { OpenStore } from '../world/store.ts';

/** Who looks, and at whose journal. */
export interface Looking {
  readonly caller: Caller;
  readonly store: OpenStore;
  /** Of Troupe. */
  readonly version: string;
}
