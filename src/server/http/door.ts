import type { Context } from 'hono';
import type { AccessRole } from '../../protocol/operations/access.ts';

/** Somebody who was let in. */
export interface Visitor {
  /** The same for all requests with the same token. */
  readonly id: string;
  /** The visitor's name, for the journal. */
  readonly name: string;
  readonly role: AccessRole;
  /** How many streams may be open with this token; null where only the server's own bound counts. */
  readonly mostStreams: number | null;
  /** Aborted with a Fault as soon as this visitor may not continue reading. */
  readonly ended: AbortSignal | null;
}

/** How a visitor was authenticated. Browsers also send cookies for foreign pages, so a cookie is worth less. */
export type DoorPass = 'bearer' | 'cookie';

export interface Admitted {
  readonly visitor: Visitor;
  readonly pass: DoorPass;
}

/** The facts of a request before its body is read. */
export interface DoorRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  /** Where the connection comes from. */
  readonly address: string;
  /** The same as stated by a proxy in front. */
  readonly forwardedFor: string | undefined;
}

/** Authenticates visitors. The owner of this machine has one key; a team's server has a named token for each user. */
export interface Door {
  /** By which names this server may be reached, as `Host` has them. */
  readonly hosts: ReadonlySet<string>;
  readonly scheme: 'http' | 'https';
  /** Rejects with a Fault if the visitor may not enter. */
  admit(request: DoorRequest): Promise<Admitted>;
  /** `Set-Cookie` for somebody who was let in with a bearer's token. */
  openSession(visitor: Visitor): string;
  /** Ends the session of a cookie; `Set-Cookie` that removes it. */
  endSession(cookie: string | undefined): string;
}

/** Where a cookie is given. */
export const SESSION = '/api/session';

declare module 'hono' {
  interface ContextVariableMap {
    visitor: Visitor;
  }
}

/** Set by the guard for all of the API. Tests call routes without it, but every act needs a name. */
export function visitorOf(context: Context): Visitor {
  const visitor: Visitor | undefined = context.get('visitor');
  if (visitor === undefined) throw new Error('This route is not behind the guard.');
  return visitor;
}

/** Null where there is none. */
export const bearerOf = (authorization: string | undefined): string | null =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;

export const cookiesNamed = (name: string, header: string): readonly string[] =>
  header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));

/** Only the API needs it, so it is sent nowhere else. */
export const cookieText = (name: string, value: string, rest: readonly string[] = []): string =>
  [`${name}=${value}`, 'Path=/api', 'HttpOnly', 'SameSite=Strict', ...rest].join('; ');
