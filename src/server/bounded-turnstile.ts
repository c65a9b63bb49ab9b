import { Fault } from '../core/model/fault.ts';
import { Turnstile } from '../lib/in-turn.ts';

export interface TurnstileOptions {
  /** How many may be under way. */
  readonly atOnce: number;
  /** How many may wait for one of them to end. */
  readonly waiting: number;
}

/** A turnstile where what comes when too many wait already is refused at once. SERVER_BUSY. */
export class BoundedTurnstile extends Turnstile {
  readonly #options: TurnstileOptions;

  constructor(options: TurnstileOptions) {
    super(options.atOnce);
    this.#options = options;
  }

  override async enter(signal?: AbortSignal): Promise<() => void> {
    const { atOnce, waiting } = this.#options;
    signal?.throwIfAborted();
    if (this.isFull && this.queued >= waiting) throw busy(atOnce, waiting);
    return await super.enter(signal);
  }
}

const busy = (atOnce: number, waiting: number): Fault =>
  new Fault('SERVER_BUSY', `${atOnce} requests are in progress and ${waiting} are waiting: this one was refused.`, {
    hint: 'Try it again in a moment.',
  });
