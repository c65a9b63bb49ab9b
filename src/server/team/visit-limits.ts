import { Fault } from '../../core/model/fault.ts';
import type { KeptToken } from '../../app/tokens/token-store.ts';

const MINUTE_MS = 60_000;

interface Bucket {
  left: number;
  at: number;
}

/** How many requests each token may make: as many as in its minute at once, then as fast as they come back. RATE_LIMITED. */
export class RateLimits {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  take({ hash, perMinute }: Pick<KeptToken, 'hash' | 'perMinute'>): void {
    const now = this.#now();
    const bucket = this.#buckets.get(hash) ?? { left: perMinute, at: now };
    bucket.left = Math.min(perMinute, bucket.left + ((now - bucket.at) * perMinute) / MINUTE_MS);
    bucket.at = now;
    this.#buckets.set(hash, bucket);
    if (bucket.left < 1) throw tooOften(perMinute, Math.ceil(((1 - bucket.left) * MINUTE_MS) / perMinute / 1000));
    bucket.left -= 1;
  }
}

const tooOften = (perMinute: number, retryAfterS: number): Fault =>
  new Fault('RATE_LIMITED', `This token may make ${perMinute} requests a minute; it has made more.`, {
    hint: `Try again in ${retryAfterS} s.`,
    facts: { retryAfterS },
  });

/** These many wrong tokens in a row are answered at once; people mistype. */
const FREE_TRIES = 5;
const LONGEST_MS = 2000;
const MOST_ADDRESSES = 10_000;

/** Makes wrong tokens of one address wait longer and longer. A right token never waits, even if others share its address. */
export class SlowDown {
  readonly #now: () => number;
  /** In the order in which they came last. */
  readonly #failures = new Map<string, { readonly count: number; readonly at: number }>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a wrong token, and says how long its answer has to wait. */
  delayMs(address: string): number {
    const place = networkOf(address);
    const now = this.#now();
    const before = this.#failures.get(place);
    const isRecent = before !== undefined && now - before.at < MINUTE_MS;
    const count = (isRecent ? before.count : 0) + 1;
    this.#failures.delete(place);
    this.#failures.set(place, { count, at: now });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MOST_ADDRESSES && oldest !== undefined) this.#failures.delete(oldest);
    return count <= FREE_TRIES ? 0 : Math.min(LONGEST_MS, 100 * 2 ** (count - FREE_TRIES));
  }
}

/** One machine has many IPv6 addresses: those of its network count as one. */
const networkOf = (address: string): string =>
  address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address;
