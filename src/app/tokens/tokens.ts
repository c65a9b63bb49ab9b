import { createHash, randomBytes } from 'node:crypto';
import { Fault } from '../../core/model/fault.ts';
import type { TokenRequest } from '../../protocol/operations/tokens.ts';
import type { KeptToken, TokenStore } from './token-store.ts';

const BYTES = 32;
/** Recognised by tools that look for secrets in what people commit. */
const PREFIX = 'troupe_';

/** A token has 256 random bits, so that a fast hash of it can be kept: there is nothing to guess (decision 26). */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A new token: the only moment in which it is known. TOKEN_EXISTS. */
export async function issueToken(
  store: TokenStore,
  { expiresMs, ...request }: TokenRequest,
  now = Date.now(),
): Promise<{ readonly token: string; readonly kept: KeptToken }> {
  const token = `${PREFIX}${randomBytes(BYTES).toString('base64url')}`;
  const kept: KeptToken = {
    ...request,
    hash: tokenHash(token).toString('hex'),
    createdAt: now,
    expiresAt: expiresMs === undefined ? null : now + expiresMs,
  };
  await store.add(kept);
  return { token, kept };
}

/** TOKEN_UNKNOWN. */
export async function revokeToken(store: TokenStore, name: string): Promise<void> {
  if (await store.remove(name)) return;
  throw new Fault('TOKEN_UNKNOWN', `There is no token called ${name}.`, { hint: 'See: troupe token list' });
}

export const isExpired = ({ expiresAt }: Pick<KeptToken, 'expiresAt'>, now = Date.now()): boolean =>
  expiresAt !== null && expiresAt <= now;
