import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** How somebody showed that they may come in. A cookie is sent by the browser whoever asks, so it is worth less. */
export type SessionPass = 'bearer' | 'cookie';

/**
 * Who may use the API. The cookie holds something made from the token, not the token: browsers send cookies of 127.0.0.1 to
 * every port, and what another program on this machine sees there must not be good as a bearer's token.
 */
export class Sessions {
  readonly cookieName: string;
  readonly #token: Buffer;
  readonly #session: string;

  constructor(token: string, port: number) {
    this.cookieName = `troupe_${port}`;
    this.#token = digest(token);
    this.#session = createHmac('sha256', token).update('troupe session').digest('base64url');
  }

  /** Null: nobody we know. */
  passOf(headers: PassHeaders): SessionPass | null {
    const bearer = bearerOf(headers.authorization);
    if (bearer !== null) return timingSafeEqual(digest(bearer), this.#token) ? 'bearer' : null;
    const cookies = cookiesNamed(this.cookieName, headers.cookie ?? '');
    const session = digest(this.#session);
    return cookies.some((cookie) => timingSafeEqual(digest(cookie), session)) ? 'cookie' : null;
  }

  /** Only the API needs it, so it is sent nowhere else. */
  setCookie(): string {
    return `${this.cookieName}=${this.#session}; Path=/api; HttpOnly; SameSite=Strict`;
  }
}

export interface PassHeaders {
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
}

/** Null where there is none. */
export const bearerOf = (authorization: string | undefined): string | null =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;

/** Equal lengths whatever was sent, so that comparing tells nothing. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const cookiesNamed = (name: string, header: string): readonly string[] =>
  header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
