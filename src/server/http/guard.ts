import type { Context, MiddlewareHandler } from 'hono';
import { Fault } from '../../core/model/fault.ts';
import type { Door, DoorPass } from './door.ts';
import type { ConnectionBindings } from './start-server.ts';

/**
 * Decides by the headers alone, before a byte of a body is read: the Host is ours (a foreign name may point here, DNS rebinding),
 * no foreign page sent the request, and the API only serves visitors whom the door lets in.
 */
export function guard(door: Door): MiddlewareHandler {
  return async (context, next) => {
    const { path, method } = context.req;
    const header = (name: string): string | undefined => context.req.header(name);
    const host = header('host') ?? '';
    if (!door.hosts.has(host)) throw foreignHost(host, door);
    const origin = header('origin');
    if (origin !== undefined && origin !== `${door.scheme}://${host}`) throw foreignOrigin(origin);
    if (!isApi(path)) return await next();
    const connection = connectionOf(context);
    const { visitor, pass } = await door.admit({
      path,
      authorization: header('authorization'),
      cookie: header('cookie'),
      address: connection.incoming?.socket.remoteAddress ?? '',
      forwardedFor: header('x-forwarded-for'),
    });
    connection.trustConnection?.();
    refuseOtherPages({ pass, origin, site: header('sec-fetch-site'), method });
    context.set('visitor', visitor);
    return await next();
  };
}

/** Outside a real server, as in tests of routes, there is none. */
const connectionOf = ({ env }: Context): Partial<ConnectionBindings> =>
  (env as Partial<ConnectionBindings> | undefined) ?? {};

const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

interface Asking {
  readonly pass: DoorPass;
  readonly origin: string | undefined;
  /** The browser's statement about the requesting page. */
  readonly site: string | undefined;
  readonly method: string;
}

/** Pages of other ports of the same machine count as the same site for cookies; they are not for us. */
function refuseOtherPages({ pass, origin, site, method }: Asking): void {
  if (pass === 'bearer') return;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignOrigin(origin ?? site);
  const isLooking = method === 'GET' || method === 'HEAD';
  if (isLooking || origin !== undefined || site === 'same-origin') return;
  throw new Fault('ORIGIN_NEEDED', 'With a cookie, what changes something must say which page it comes from.', {
    hint: 'A browser sends Origin by itself; a program uses: Authorization: Bearer TOKEN',
  });
}

/** The first name is the one that people should use. */
const foreignHost = (host: string, { hosts }: Door): Fault =>
  new Fault('HOST_FOREIGN', `"${host}" is not this server.`, { hint: `Its name is ${[...hosts][0] ?? ''}.` });

const foreignOrigin = (origin: string): Fault =>
  new Fault('ORIGIN_FOREIGN', `Pages of "${origin}" may not use this server.`);
