import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Who may enter: programs of this machine that have a token, and no page in a browser. */

/** Status of the refusal, or null. Refuses host names that were made to point here, and origins of pages. */
export function doorProblem({ host = '', origin }: IncomingHttpHeaders, port: number): 403 | null {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!own.includes(host.toLowerCase())) return 403;
  return origin === undefined || own.some((one) => origin === `http://${one}`) ? null : 403;
}

/** Only the hash is kept, so that comparing takes the same time whatever is presented. */
export interface DeskPass {
  readonly token: string;
  readonly digest: Buffer;
}

export function newPass(): DeskPass {
  const token = randomBytes(32).toString('base64url');
  return { token, digest: digestOf(token) };
}

/** All of them are compared, however early one fits. */
export function passHolder<T extends { readonly pass: DeskPass }>(
  desks: Iterable<T>,
  { authorization = '' }: IncomingHttpHeaders,
): T | null {
  const presented = digestOf(/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');
  let holder: T | null = null;
  for (const desk of desks) if (timingSafeEqual(desk.pass.digest, presented)) holder = desk;
  return holder;
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
