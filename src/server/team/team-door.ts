import { setTimeout as sleep } from 'node:timers/promises';
import { isExpired, tokenHash } from '../../app/tokens/tokens.ts';
import type { KeptToken, TokenStore } from '../../app/tokens/token-store.ts';
import { Fault } from '../../core/model/fault.ts';
import {
  type Admitted,
  bearerOf,
  cookiesNamed,
  cookieText,
  type Door,
  type DoorRequest,
  type Visitor,
} from '../http/door.ts';
import { TeamSessions } from './team-sessions.ts';
import { TokenDesk, tokenExpired, tokenRevoked } from './token-desk.ts';
import { RateLimits, SlowDown } from './visit-limits.ts';

export interface TeamDoorOptions {
  readonly store: TokenStore;
  /** By which names the server is reached, as `Host` has them. */
  readonly hosts: ReadonlySet<string>;
  readonly port: number;
  /** A proxy is in front, which says where requests come from. */
  readonly isProxied: boolean;
  /** Called with notices for the operator of the server. */
  readonly note?: (text: string) => void;
  readonly now?: () => number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** The door of a team's server: everybody has a token with a name and a role, and comes over TLS. */
export class TeamDoor implements Door {
  readonly scheme = 'https';
  readonly hosts: ReadonlySet<string>;
  readonly #options: TeamDoorOptions;
  readonly #cookieName: string;
  readonly #desk: TokenDesk;
  readonly #sessions: TeamSessions;
  readonly #rates = new RateLimits();
  readonly #slowDown = new SlowDown();

  constructor(options: TeamDoorOptions) {
    this.#options = options;
    this.hosts = options.hosts;
    this.#cookieName = `troupe_${options.port}`;
    this.#desk = new TokenDesk(options.store, options.now, options.note);
    this.#sessions = new TeamSessions(options.now);
  }

  async admit(request: DoorRequest): Promise<Admitted> {
    const bearer = bearerOf(request.authorization);
    const token = bearer === null ? await this.#ofSession(request) : await this.#ofBearer(bearer, request);
    if (isExpired(token, this.#options.now?.())) throw tokenExpired();
    this.#rates.take(token);
    return { visitor: this.#visitor(token), pass: bearer === null ? 'cookie' : 'bearer' };
  }

  openSession({ id }: Visitor): string {
    return cookieText(this.#cookieName, this.#sessions.open(id), ['Secure']);
  }

  endSession(cookie = ''): string {
    for (const value of cookiesNamed(this.#cookieName, cookie)) this.#sessions.end(value);
    return cookieText(this.#cookieName, '', ['Secure', 'Max-Age=0']);
  }

  close(): void {
    this.#desk.close();
  }

  #visitor(token: KeptToken): Visitor {
    const { hash, name, role, streams } = token;
    const ended = this.#desk.endOf(token);
    return { id: hash, name, role, mostStreams: streams, ended };
  }

  async #ofBearer(bearer: string, request: DoorRequest): Promise<KeptToken> {
    return (await this.#desk.find(tokenHash(bearer))) ?? (await this.#refuse(request));
  }

  async #ofSession(request: DoorRequest): Promise<KeptToken> {
    const values = cookiesNamed(this.#cookieName, request.cookie ?? '');
    if (values.length === 0) throw signInNeeded();
    for (const value of values) {
      const hash = this.#sessions.tokenOf(value);
      if (hash === null) continue;
      const token = await this.#desk.find(Buffer.from(hash, 'hex'));
      if (token !== null) return token;
      // The session stays until it expires, so that each of several simultaneous requests gets the reason.
      throw tokenRevoked();
    }
    return await this.#refuse(request);
  }

  /** The same answer whatever was wrong, later and later for who goes on. */
  async #refuse(request: DoorRequest): Promise<never> {
    await (this.#options.wait ?? sleep)(this.#slowDown.delayMs(this.#addressOf(request)));
    throw signInNeeded();
  }

  /** The last name is the one that the proxy in front has added; those before it are the client's own words. */
  #addressOf({ address, forwardedFor }: DoorRequest): string {
    const last = this.#options.isProxied ? forwardedFor?.split(',').at(-1)?.trim() : undefined;
    return last === undefined || last === '' ? address : last;
  }
}

const signInNeeded = (): Fault =>
  new Fault('SIGN_IN_NEEDED', 'A token is needed, and none that this server knows was given.', {
    hint: 'A program sends it as: Authorization: Bearer TOKEN. The administrator of the server makes one with: troupe token new NAME --role ROLE',
  });
