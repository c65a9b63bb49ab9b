import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { Fault } from '../../core/fault.ts';

/** Streams have their own bound, so questions and actions always find room (`connection-places.ts`). */
const MOST_STREAMS = 128;

/** A stream holds its connection for as long as it likes. Whoever opens them without end is told so. STREAMS_FULL. */
export class StreamPlaces {
  readonly #most: number;
  readonly #held = new Set<object>();

  constructor(most = MOST_STREAMS) {
    this.#most = most;
  }

  /** Until the answer is over, whoever ends it. */
  take(context: Context): void {
    const { outgoing } = context.env as Partial<HttpBindings>;
    if (outgoing === undefined || outgoing.closed) return;
    if (this.#held.size >= this.#most) throw full(this.#most);
    this.#held.add(outgoing);
    outgoing.once('close', () => this.#held.delete(outgoing));
  }
}

const full = (most: number): Fault =>
  new Fault('STREAMS_FULL', `${most} streams are open, which is as many as this server holds.`, {
    hint: 'Close some. One stream can follow all runs: POST /api/stream.',
  });
