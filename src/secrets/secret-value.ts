import { SHORTEST_FORM } from './secret-forms.ts';

/** From this length on even plain words are taken for a pass phrase. */
const PASS_PHRASE = 20;

/**
 * Whether a value can be redacted without harm. Short values and placeholders such as `not-needed` or `postgres` are no
 * secrets: taking them out would garble ordinary text. Neither are paths, and addresses without a password.
 */
export function isSecretValue(value: string): boolean {
  if (value.length < SHORTEST_FORM || isPath(value)) return false;
  if (/^[a-z][a-z0-9+.-]*:\/\/[^@]*$/i.test(value)) return false;
  const isPlainWord = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)(?:[-_. ](?:[a-z]+|[A-Z]+|[A-Z][a-z]+))*$/.test(value);
  const isOneLetter = new Set(value).size < 4;
  return !isOneLetter && (!isPlainWord || value.length >= PASS_PHRASE);
}

/** A base64 key may begin with a slash too; no folder has so many letters of both cases and digits in a row. */
const isPath = (value: string): boolean =>
  /^[/~.]*\//.test(value) && !/(?=[A-Za-z]*\d)(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])[A-Za-z\d+]{16,}/.test(value);

/** Whether a variable, a header or a field of this name usually holds a secret. */
export function isSecretName(name: string): boolean {
  const parts = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2');
  return SECRET_PART.test(parts) || /(?:password|passwd|sshpass)$|[_-]pwd$/i.test(parts);
}

const SECRET_PART =
  /(?:^|[_-])(?:(?:api|secret)?_?key|token|pat|secret|pass(?:word|wd|phrase)?|cred(?:ential)?s?|auth(?:orization)?|cookie)(?:[_-]|$)/i;

/** Whether a value looks like a key whatever its name: a long run of letters and digits. */
export const looksLikeKey = (value: string): boolean =>
  /(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{16,}/.test(value);

/** Credentials in an address: the password of `postgres://user:password@host/db`, the token of `https://token@host`. */
export function credentialsIn(value: string): readonly string[] {
  const url = /:\/\/[^/]*@/.test(value) ? URL.parse(value) : null;
  if (url === null) return [];
  return [url.password, ...(looksLikeKey(url.username) ? [url.username] : [])].map(decoded);
}

/** Without percent-encoding, where it is one. */
export function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
