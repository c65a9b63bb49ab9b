import type { Context, MiddlewareHandler } from 'hono';
import { Fault } from '../../core/fault.ts';
import type { SessionPass, Sessions } from './sessions.ts';
import type { ConnectionBindings } from './start-server.ts';
import type { Tickets } from './tickets.ts';

/**
 * Decides by the headers alone, before a byte of a body is read:
 * the Host is ours (a foreign name may point here, DNS rebinding), nobody else's page asks, and the API only speaks to who has the token.
 */
export function guard({ sessions, tickets, port }: GuardOptions): MiddlewareHandler {
  const hosts = ownHosts(port);
  return async (context, next) => {
    const header = (name: string): string | undefined => context.req.header(name);
    const host = header('host') ?? '';
    if (!hosts.has(host)) throw foreignHost(host, port);
    const origin = header('origin');
    if (origin !== undefined && origin !== `http://${host}`) throw foreignOrigin(origin);
    if (!isApi(context.req.path)) return await next();
    const authorization = header('authorization');
    const pass = sessions.passOf({ authorization, cookie: header('cookie') });
    if (pass === null && !(context.req.path === SESSION && tickets.take(authorization))) throw tokenNeeded();
    trustConnection(context);
    refuseOtherPages({ pass: pass ?? 'bearer', origin, site: header('sec-fetch-site'), method: context.req.method });
    return await next();
  };
}

/** Outside a real server, as in tests of routes, there is none. */
function trustConnection({ env }: Context): void {
  (env as Partial<ConnectionBindings> | undefined)?.trustConnection?.();
}

export interface GuardOptions {
  readonly sessions: Sessions;
  readonly tickets: Tickets;
  readonly port: number;
}

/** Where a cookie is given: all that a ticket is good for. */
export const SESSION = '/api/session';

/** A browser leaves the port out where it is the usual one. */
function ownHosts(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost'];
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:${port}`] : [`${name}:${port}`])));
}

const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

interface Asking {
  readonly pass: SessionPass;
  readonly origin: string | undefined;
  /** What the browser says of the page that asks. */
  readonly site: string | undefined;
  readonly method: string;
}

/** Pages of other ports of this machine count as the same site for cookies; they are not for us. */
function refuseOtherPages({ pass, origin, site, method }: Asking): void {
  if (pass === 'bearer') return;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignOrigin(origin ?? site);
  const isLooking = method === 'GET' || method === 'HEAD';
  if (isLooking || origin !== undefined || site === 'same-origin') return;
  throw new Fault('ORIGIN_NEEDED', 'With a cookie, what changes something must say which page it comes from.', {
    hint: 'A browser sends Origin by itself; a program uses: Authorization: Bearer TOKEN',
  });
}

const foreignHost = (host: string, port: number): Fault =>
  new Fault('HOST_FOREIGN', `"${host}" is not this server.`, { hint: `Its name is 127.0.0.1:${port}.` });

const foreignOrigin = (origin: string): Fault =>
  new Fault('ORIGIN_FOREIGN', `Pages of "${origin}" may not use this server.`);

const tokenNeeded = (): Fault =>
  new Fault('TOKEN_NEEDED', 'The token is missing or wrong.', {
    hint: 'Open the address that `troupe serve` printed, with all that follows the #.',
  });
