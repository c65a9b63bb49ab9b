import { KnownSecrets, REDACTED } from './known-secrets.ts';

/** Shorter ones would take ordinary words apart. */
const SHORTEST = 4;

/**
 * A message of a program or an endpoint that got these values, without them. Error messages often repeat a key, so even a
 * short one is removed here.
 */
export function withoutValues(message: string, values: readonly string[]): string {
  const secrets = new KnownSecrets();
  const named = values.map((value) => value.trim()).filter(({ length }) => length >= SHORTEST);
  for (const value of named) secrets.add('', value);
  return named
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, value) => rest.replaceAll(value, REDACTED), secrets.redact(message));
}
