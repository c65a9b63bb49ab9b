import { randomBytes } from 'node:crypto';
import { tokenHash } from '../../app/tokens/tokens.ts';

const GOOD_MS = 12 * 60 * 60 * 1000;
const MOST_OF_TOKEN = 32;

interface TeamSession {
  /** Of the token that opened it. */
  readonly token: string;
  readonly until: number;
}

/** Sessions by cookie, in memory only: signing out ends one at once, and a new server asks for tokens again. */
export class TeamSessions {
  readonly #now: () => number;
  /** By the hash of the cookie, oldest first. */
  readonly #sessions = new Map<string, TeamSession>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The value of the cookie. */
  open(token: string): string {
    this.#drop(({ until }) => until <= this.#now());
    const own = [...this.#sessions].filter(([, session]) => session.token === token);
    for (const [key] of own.slice(0, Math.max(0, own.length - MOST_OF_TOKEN + 1))) this.#sessions.delete(key);
    const value = randomBytes(32).toString('base64url');
    this.#sessions.set(keyOf(value), { token, until: this.#now() + GOOD_MS });
    return value;
  }

  /** The hash of the token that opened it; null where there is none. */
  tokenOf(value: string): string | null {
    const session = this.#sessions.get(keyOf(value));
    return session === undefined || session.until <= this.#now() ? null : session.token;
  }

  end(value: string): void {
    this.#sessions.delete(keyOf(value));
  }

  #drop(isOver: (session: TeamSession) => boolean): void {
    for (const [key, session] of this.#sessions) if (isOver(session)) this.#sessions.delete(key);
  }
}

/** Looked up by hash: how long that takes tells nothing of the value. */
const keyOf = (value: string): string => tokenHash(value).toString('hex');
