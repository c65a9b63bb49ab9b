import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { parseObject } from './read-json.ts';

/**
 * Whether one text is the other login, refreshed, as far as that can be told: nothing but readable tokens and their times
 * differ, and each new token is of the same account and good for longer. Whoever may write the new text could put somebody
 * else's login in the place of the user's own, so a token that does not say whose it is must be the old one: as long as the
 * one by which others are got stays, no other can do harm for long.
 */
export function isRefreshedLogin(refreshed: string, own: string, now: number): boolean {
  const [one, other] = [parseObject(refreshed), parseObject(own)];
  if (one === null || other === null) return false;
  const tokens: Changed[] = [];
  return isSameObject(one, other, tokens) && tokens.length > 0 && tokens.every((token) => isGoodForLonger(token, now));
}

interface Changed {
  readonly token: string;
  readonly before: string;
}

function isSameObject(one: JsonObject, other: JsonObject, tokens: Changed[]): boolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => {
    const [value, before] = [one[name] ?? null, other[name] ?? null];
    return Object.hasOwn(other, name) && isSameField(name, { value, before }, tokens);
  });
}

function isSameField(name: string, field: { readonly value: Json; readonly before: Json }, tokens: Changed[]): boolean {
  const { value, before } = field;
  if (isJsonObject(value) && isJsonObject(before)) return isSameObject(value, before, tokens);
  if (JSON.stringify(value) === JSON.stringify(before)) return true;
  if (TIME.test(name)) return typeof value === typeof before && !isJsonObject(value);
  if (!TOKEN.test(name) || typeof value !== 'string' || typeof before !== 'string') return false;
  tokens.push({ token: value, before });
  return true;
}

/** What clients write anew when they refresh: `accessToken`, `id_token`, `refresh`; `expiry_date`, `last_refresh`. */
const TOKEN = /token$|^(access|refresh)$/i;
const TIME = /^(expires|last_?refresh)$|^(refresh_?token_?)?(expires_?(at|in)|expiry(_?date)?)$/i;

function isGoodForLonger({ token, before }: Changed, now: number): boolean {
  const [claims, known] = [claimsOf(token), claimsOf(before)];
  if (claims === null || known === null || claims.holder !== known.holder) return false;
  return claims.expiresAt > now && claims.expiresAt > known.expiresAt;
}

/** Null where a token does not say whose it is, or until when it is good. */
function claimsOf(token: string): { readonly holder: string; readonly expiresAt: number } | null {
  const [, words = '', signature] = token.split('.');
  if (signature === undefined) return null;
  const claims = parseObject(Buffer.from(words, 'base64url').toString('utf8')) ?? {};
  const { iss = null, sub = null, exp = null } = claims;
  if (typeof sub !== 'string' || typeof exp !== 'number') return null;
  return { holder: JSON.stringify([iss, sub]), expiresAt: exp * 1000 };
}
