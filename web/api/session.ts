import type { ApiError } from '../../src/protocol/web/api-error.ts';
import { Watched } from '../model/watched.ts';

/**
 * Answers requested before the page was loaded (`public/early.js`), so that the server reads the run while the browser still
 * reads the page. Each is used once, and never after a new sign-in.
 */
export async function takeEarly(url: string): Promise<Response | null> {
  const asked = known();
  const answer = asked?.get(url);
  asked?.delete(url);
  if (answer === undefined) return null;
  try {
    const got = await answer;
    // What is not there is not there when it is asked for once more.
    return got.ok || got.status === 404 ? got : null;
  } catch {
    return null;
  }
}

export const forgetEarly = (): void => known()?.clear();

const asking = globalThis as { troupeEarly?: Map<string, Promise<Response>> };

/** From here on the page asks by itself. */
asking.troupeEarly ??= new Map();

const known = (): Map<string, Promise<Response>> | undefined => asking.troupeEarly;

/** Whether this browser may speak with the server: the token comes once in the address, after that in a cookie no script can read. */
export type SessionState = 'opening' | 'open' | 'locked';

/** Why the server does not let this browser in. */
export type LockReason = Pick<ApiError['error'], 'code' | 'message'> | null;

class Session extends Watched {
  #state: SessionState = 'opening';
  #reason: LockReason = null;
  #openings = 0;

  readonly state = (): SessionState => this.#state;

  /** Of the moment in which it was locked; what is said later is only that it is. */
  readonly reason = (): LockReason => this.#reason;

  /** How often it was opened: this sets a refusal apart from that of an earlier key. */
  readonly openings = (): number => this.#openings;

  /** With the token of an address, or with what the browser has already. */
  async open(token: string | null): Promise<void> {
    if (token !== null) {
      const refused = await exchange(token);
      if (refused !== 'taken') return this.lock(refused);
    }
    this.#openings += 1;
    this.#set('open', null);
  }

  /** The server does not know us any more. What it said to a request from before the last opening says nothing about that. */
  lock(reason: LockReason, openings = this.#openings): void {
    if (openings === this.#openings) this.#set('locked', reason);
  }

  /** Signs out: what this browser was given is good no longer. */
  async leave(): Promise<void> {
    const left = await fetch('/api/session/end', { method: 'POST', credentials: 'same-origin' }).catch(() => null);
    if (left?.ok === true) this.lock({ code: 'SIGN_IN_NEEDED', message: 'You have signed out.' });
  }

  /** Only changes are announced: a listener that retries on each announcement would retry for ever. */
  #set(state: SessionState, reason: LockReason): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#reason = reason;
    if (state === 'locked') forgetEarly();
    this.notify();
  }
}

export const session = new Session();

/** Why the token is not taken. A server that does not answer says nothing about the token. */
async function exchange(token: string): Promise<'taken' | LockReason> {
  try {
    const answer = await fetch('/api/session', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    return answer.status === 401 || answer.status === 403 ? reasonIn(await answer.json()) : 'taken';
  } catch {
    return 'taken';
  }
}

const reasonIn = (body: unknown): LockReason => (body as Partial<ApiError> | null)?.error ?? null;

/** The token in an address or in what somebody pasted: a whole address, its fragment or the bare token. */
export function tokenIn(text: string): string | null {
  const fragment = /#t=([\w-]+)/.exec(text)?.[1];
  const bare = /^[\w-]{16,}$/.exec(text.trim())?.[0];
  return fragment ?? bare ?? null;
}
