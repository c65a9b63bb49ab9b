import { Watched } from '../model/watched.ts';

/**
 * Answers that were asked for before the page was there (`public/early.js`): the server reads the run while the browser still reads
 * the page. Each is good for once, and for nobody who is let in later.
 */
export async function takeEarly(url: string): Promise<Response | null> {
  const asked = known();
  const answer = asked?.get(url);
  asked?.delete(url);
  if (answer === undefined) return null;
  try {
    const got = await answer;
    return got.ok ? got : null;
  } catch {
    return null;
  }
}

export const forgetEarly = (): void => known()?.clear();

const known = (): Map<string, Promise<Response>> | undefined =>
  (globalThis as { troupeEarly?: Map<string, Promise<Response>> }).troupeEarly;

/** Whether this browser may speak with the server: the token comes once in the address, after that in a cookie no script can read. */
export type SessionState = 'opening' | 'open' | 'locked';

class Session extends Watched {
  #state: SessionState = 'opening';

  readonly state = (): SessionState => this.#state;

  /** With the token of an address, or with what the browser has already. */
  async open(token: string | null): Promise<void> {
    if (token !== null) {
      const isTaken = await exchange(token);
      if (!isTaken) return this.#set('locked');
    }
    this.#set('open');
  }

  /** The server does not know us any more. */
  lock(): void {
    this.#set('locked');
  }

  /** Only what is new is told: whoever tries again when it hears of it would do so for ever. */
  #set(state: SessionState): void {
    if (this.#state === state) return;
    this.#state = state;
    if (state === 'locked') forgetEarly();
    this.notify();
  }
}

export const session = new Session();

/** False where the token is wrong. A server that does not answer says nothing about the token. */
async function exchange(token: string): Promise<boolean> {
  try {
    const answer = await fetch('/api/session', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    return answer.status !== 401 && answer.status !== 403;
  } catch {
    return true;
  }
}

/** The token in an address or in what somebody pasted: a whole address, its fragment or the bare token. */
export function tokenIn(text: string): string | null {
  const fragment = /#t=([\w-]+)/.exec(text)?.[1];
  const bare = /^[\w-]{16,}$/.exec(text.trim())?.[0];
  return fragment ?? bare ?? null;
}
