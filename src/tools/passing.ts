/**
 * An error that passes by itself: no server answered, or it had no time. A retry a little later may succeed, unlike for a missing
 * file.
 */
export class Passing extends Error {
  override readonly name = 'Passing';
}

/** By the error itself, or by what caused it. */
export function isPassing(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof Passing) return true;
    if ('code' in at && typeof at.code === 'string' && CODES.has(at.code)) return true;
    if ('status' in at && typeof at.status === 'number' && isPassingStatus(at.status)) return true;
  }
  return false;
}

const CODES: ReadonlySet<string> = new Set(
  [
    'EAGAIN EAI_AGAIN EBUSY ECONNABORTED ECONNREFUSED ECONNRESET EHOSTUNREACH EMFILE ENETDOWN ENETUNREACH',
    'ENFILE EPIPE ETIMEDOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_SOCKET',
  ].flatMap((line) => line.split(' ')),
);

/** A server that is in trouble or wants to be asked later; not one that does not want what was asked. */
export const isPassingStatus = (status: number): boolean => STATUSES.has(status);

const STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
