import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { personName } from '../../app/runs/person-name.ts';
import { Fault } from '../../core/model/fault.ts';
import {
  bearerOf,
  cookiesNamed,
  cookieText,
  SESSION,
  type Admitted,
  type Door,
  type DoorPass,
  type DoorRequest,
  type Visitor,
} from './door.ts';
import { Tickets } from './tickets.ts';

export interface OwnerDoorOptions {
  readonly token: string;
  readonly port: number;
  /** For browsers that are started from here. */
  readonly tickets?: Tickets;
}

/**
 * The door of a page on this machine: the holder of its one token is its owner. The cookie holds something made from the token, not
 * the token: browsers send cookies of 127.0.0.1 to every port, and another program that sees one there must not have the token.
 */
export class OwnerDoor implements Door {
  readonly scheme = 'http';
  readonly hosts: ReadonlySet<string>;
  readonly #cookieName: string;
  readonly #token: Buffer;
  readonly #session: string;
  readonly #tickets: Tickets;
  readonly #owner: Visitor = {
    id: 'owner',
    name: personName(),
    role: 'admin',
    mostStreams: null,
    ended: null,
  };

  constructor({ token, port, tickets = new Tickets() }: OwnerDoorOptions) {
    this.hosts = ownHosts(port);
    this.#cookieName = `troupe_${port}`;
    this.#token = digest(token);
    this.#session = createHmac('sha256', token).update('troupe session').digest('base64url');
    this.#tickets = tickets;
  }

  async admit(request: DoorRequest): Promise<Admitted> {
    const pass = this.#passOf(request);
    if (pass !== null) return { visitor: this.#owner, pass };
    const hasTicket = request.path === SESSION && this.#tickets.take(request.authorization);
    if (hasTicket) return { visitor: this.#owner, pass: 'bearer' };
    throw tokenNeeded();
  }

  openSession(): string {
    return cookieText(this.#cookieName, this.#session);
  }

  endSession(): string {
    return cookieText(this.#cookieName, '', ['Max-Age=0']);
  }

  #passOf({ authorization, cookie = '' }: DoorRequest): DoorPass | null {
    const bearer = bearerOf(authorization);
    if (bearer !== null) return timingSafeEqual(digest(bearer), this.#token) ? 'bearer' : null;
    const session = digest(this.#session);
    const cookies = cookiesNamed(this.#cookieName, cookie);
    return cookies.some((value) => timingSafeEqual(digest(value), session)) ? 'cookie' : null;
  }
}

/** Equal lengths whatever was sent, so that comparing tells nothing. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A browser leaves the port out where it is the usual one. */
function ownHosts(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost'];
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:${port}`] : [`${name}:${port}`])));
}

const tokenNeeded = (): Fault =>
  new Fault('TOKEN_NEEDED', 'The token is missing or wrong.', {
    hint: 'Open the address that `troupe serve` printed, with all that follows the #.',
  });
