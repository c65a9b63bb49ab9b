import { timingSafeEqual } from 'node:crypto';
import { Fault } from '../../core/model/fault.ts';
import { isExpired } from '../../app/tokens/tokens.ts';
import type { KeptToken, TokenStore } from '../../app/tokens/token-store.ts';

/** A revoked token works for this long at most, and the streams it has open end after this. */
const FRESH_MS = 1000;

/** The tokens of a running server, read again every second: another process adds and revokes them. */
export class TokenDesk {
  readonly #store: TokenStore;
  readonly #now: () => number;
  readonly #onDamaged: (fault: Fault) => void;
  readonly #ends = new Map<string, AbortController>();
  #tokens: readonly KeptToken[] = [];
  #readAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** A damaged token lets no one in, and keeps no one else out: the person who runs the server hears of it once. */
  constructor(store: TokenStore, now: () => number = Date.now, note: (text: string) => void = () => undefined) {
    this.#store = store;
    this.#now = now;
    const noted = new Set<string>();
    this.#onDamaged = ({ message, hint = '' }) => {
      if (!noted.has(message)) note(`${message} ${hint}`);
      noted.add(message);
    };
    this.#plan();
  }

  /** By the hash of what somebody showed; null where there is none. One that was made just now is found at once. */
  async find(hash: Buffer): Promise<KeptToken | null> {
    return matching(await this.#fresh(), hash) ?? matching(await this.#read(), hash);
  }

  /** Aborted with the reason once the token is revoked or has expired. */
  endOf({ hash }: KeptToken): AbortSignal {
    const end = this.#ends.get(hash) ?? new AbortController();
    this.#ends.set(hash, end);
    return end.signal;
  }

  /** Ends what tokens have open that are good no longer. */
  async check(): Promise<void> {
    const tokens = await this.#read();
    for (const [hash, end] of this.#ends) {
      const token = tokens.find((one) => one.hash === hash);
      if (token !== undefined && !isExpired(token, this.#now())) continue;
      this.#ends.delete(hash);
      end.abort(token === undefined ? tokenRevoked() : tokenExpired());
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** A store that cannot be read for a moment ends nothing; requests are refused until it can. */
  #plan(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.check().then(again, again), FRESH_MS);
    this.#timer.unref();
    const again = (): void => this.#plan();
  }

  async #fresh(): Promise<readonly KeptToken[]> {
    return performance.now() - this.#readAt < FRESH_MS ? this.#tokens : await this.#read();
  }

  async #read(): Promise<readonly KeptToken[]> {
    const readAt = performance.now();
    const tokens = await this.#store.list(this.#onDamaged);
    if (readAt > this.#readAt) [this.#tokens, this.#readAt] = [tokens, readAt];
    return tokens;
  }
}

/** Compares with every token, each in constant time, so that the time tells nothing. */
function matching(tokens: readonly KeptToken[], hash: Buffer): KeptToken | null {
  let found: KeptToken | null = null;
  for (const token of tokens) if (timingSafeEqual(Buffer.from(token.hash, 'hex'), hash)) found = token;
  return found;
}

export const tokenRevoked = (): Fault =>
  new Fault('TOKEN_REVOKED', 'Your token was revoked.', {
    hint: 'Ask the administrator of this server for a new one: troupe token new NAME --role ROLE',
  });

export const tokenExpired = (): Fault =>
  new Fault('TOKEN_EXPIRED', 'Your token has expired.', {
    hint: 'Ask the administrator of this server for a new one: troupe token new NAME --role ROLE',
  });
