import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { parseObject } from './read-json.ts';

/**
 * Whether one text is the other login, refreshed: only tokens and their times differ, and they are of the same account. Who
 * may write the new one could else put somebody else's login, or another key, in the place of the user's own.
 */
export function isSameLogin(refreshed: string, own: string): boolean {
  const [one, other] = [parseObject(refreshed), parseObject(own)];
  return one !== null && other !== null && isSameObject(one, other);
}

function isSameObject(one: JsonObject, other: JsonObject): boolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && isSameField(name, one[name] ?? null, other[name] ?? null));
}

function isSameField(name: string, one: Json, other: Json): boolean {
  if (isJsonObject(one) && isJsonObject(other)) return isSameObject(one, other);
  if (!REFRESHED.test(name)) return JSON.stringify(one) === JSON.stringify(other);
  return typeof one === typeof other && isSameHolder(one, other);
}

/** What clients write anew when they refresh: `accessToken`, `id_token`, `refresh`, `expiry_date`, `last_refresh`. */
const REFRESHED =
  /token$|^(access|refresh|expires|last_?refresh)$|^(refresh_?token_?)?(expires_?(at|in)|expiry(_?date)?)$/i;

/** Tokens that can be read say whose they are. */
function isSameHolder(one: Json, other: Json): boolean {
  const [holder, before] = [holderOf(one), holderOf(other)];
  return holder === before || before === null;
}

function holderOf(token: Json): string | null {
  if (typeof token !== 'string') return null;
  const [, claims = '', signature] = token.split('.');
  if (signature === undefined) return null;
  const subject = parseObject(Buffer.from(claims, 'base64url').toString('utf8'))?.['sub'];
  return typeof subject === 'string' ? subject : null;
}
