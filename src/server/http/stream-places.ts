import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { Fault } from '../../core/model/fault.ts';
import type { Visitor } from './door.ts';

/** Streams have their own bound, so questions and actions always find room (`connection-places.ts`). */
const MOST_STREAMS = 128;

/** Limits open streams, since each holds its connection for an unlimited time. STREAMS_FULL, STREAMS_LIMITED. */
export class StreamPlaces {
  readonly #most: number;
  /** With the visitor each is for. */
  readonly #held = new Map<object, string | undefined>();

  constructor(most = MOST_STREAMS) {
    this.#most = most;
  }

  /** Held until either side ends the answer. */
  take(context: Context): void {
    const { outgoing } = context.env as Partial<HttpBindings>;
    if (outgoing === undefined || outgoing.closed) return;
    if (this.#held.size >= this.#most) throw full(this.#most);
    const visitor: Visitor | undefined = context.get('visitor');
    const most = visitor?.mostStreams ?? Infinity;
    if ([...this.#held.values()].filter((id) => id === visitor?.id).length >= most) throw tooMany(most);
    this.#held.set(outgoing, visitor?.id);
    outgoing.once('close', () => this.#held.delete(outgoing));
  }
}

const tooMany = (most: number): Fault =>
  new Fault('STREAMS_LIMITED', `This token may have ${most} streams open, and it has.`, {
    hint: 'Close some. One stream can follow all runs: POST /api/stream.',
    facts: { retryAfterS: 5 },
  });

const full = (most: number): Fault =>
  new Fault('STREAMS_FULL', `${most} streams are open, which is as many as this server holds.`, {
    hint: 'Close some. One stream can follow all runs: POST /api/stream.',
  });
