import { createHash, randomBytes } from 'node:crypto';
import { bearerOf } from './door.ts';

/**
 * What a browser that Troupe itself starts is given in the place of the token: the words a program was started with can be read
 * by everybody on the machine, as long as it runs. A ticket is good once, for a cookie, and only for a while.
 */
export class Tickets {
  readonly #goodMs: number;
  /** By digest, until when each is good. */
  readonly #open = new Map<string, number>();

  constructor(goodMs = GOOD_MS) {
    this.#goodMs = goodMs;
  }

  issue(): string {
    const ticket = randomBytes(32).toString('base64url');
    this.#open.set(digest(ticket), performance.now() + this.#goodMs);
    return ticket;
  }

  /** Whether a request comes with one that is good; from now on it is not. */
  take(authorization: string | undefined): boolean {
    const key = digest(bearerOf(authorization) ?? '');
    const until = this.#open.get(key) ?? -Infinity;
    this.#open.delete(key);
    return performance.now() < until;
  }
}

/** A browser that begins again takes its time. */
const GOOD_MS = 5 * 60 * 1000;

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');
