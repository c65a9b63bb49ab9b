import { KnownSecrets, REDACTED } from './known-secrets.ts';

/** Shorter ones would take ordinary words apart. */
const SHORTEST = 4;

/**
 * A message of a program or an endpoint that was given these values, without them. Those who are given a key like to repeat it
 * when they complain, so that even a short one is taken out here.
 */
export function withoutValues(message: string, values: readonly string[]): string {
  const secrets = new KnownSecrets();
  const named = values.map((value) => value.trim()).filter(({ length }) => length >= SHORTEST);
  for (const value of named) secrets.add('', value);
  return named
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, value) => rest.replaceAll(value, REDACTED), secrets.redact(message));
}
