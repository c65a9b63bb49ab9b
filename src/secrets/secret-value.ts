import { SHORTEST_FORM } from './secret-forms.ts';

/** From this length on even plain words are taken for a pass phrase. */
const PASS_PHRASE = 20;

/**
 * Whether a value can be redacted without harm. Short values and placeholders such as `not-needed` or `postgres` are no
 * secrets: taking them out would garble ordinary text. Neither are paths, and addresses without a password.
 */
export function isSecretValue(value: string): boolean {
  if (value.length < SHORTEST_FORM || /^[/~.]*\//.test(value)) return false;
  if (/^[a-z][a-z0-9+.-]*:\/\/[^@]*$/i.test(value)) return false;
  const isPlainWord = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)(?:[-_. ](?:[a-z]+|[A-Z]+|[A-Z][a-z]+))*$/.test(value);
  const isOneLetter = new Set(value).size < 4;
  return !isOneLetter && (!isPlainWord || value.length >= PASS_PHRASE);
}

/** Whether a variable or a header of this name usually holds a secret. */
export function isSecretName(name: string): boolean {
  return /(?:^|[_-])(?:api_?key|key|token|secret|pass(?:word|wd|phrase)?|credentials?|auth(?:orization)?|cookie)(?:[_-]|$)/i.test(
    name,
  );
}

/** Whether a value looks like a key whatever its name: a long run of letters and digits. */
export const looksLikeKey = (value: string): boolean =>
  /(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{16,}/.test(value);

/** The password of an address such as `postgres://user:password@host/db`. */
export function passwordIn(value: string): string | undefined {
  const url = /:\/\/[^/]*@/.test(value) ? URL.parse(value) : null;
  if (url === null || url.password === '') return undefined;
  try {
    return decodeURIComponent(url.password);
  } catch {
    return url.password;
  }
}
