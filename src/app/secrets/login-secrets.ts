import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import type { Actor } from '../../actors/port.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import { isSecretName, looksLikeKey } from '../../secrets/secret-value.ts';

const LARGEST_BYTES = 256 * 1024;

/** Knows the tokens of a client's login while it works: read before each turn, and after it, since a client refreshes them. */
export function withLoginSecrets(actor: Actor, files: readonly string[], secrets: KnownSecrets): Actor {
  if (files.length === 0) return actor;
  const learn = async (): Promise<void> => {
    for (const file of files) await addLoginSecrets(secrets, file);
  };
  return {
    ...actor,
    call: async (request, options) => {
      await learn();
      const reply = await actor.call(request, options);
      await learn();
      return reply;
    },
  };
}

async function addLoginSecrets(secrets: KnownSecrets, file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile() || found.size > LARGEST_BYTES) return;
  const text = await readFile(file, 'utf8').catch(() => '');
  for (const value of tokensIn(text)) secrets.add(basename(file), value);
}

/** The texts of a JSON file that are keys by their name and their look; of another file, the words that look like keys. */
export function tokensIn(text: string): readonly string[] {
  try {
    return fields(JSON.parse(text) as Json).flatMap(([name, value]) =>
      isSecretName(name) || looksLikeKey(value) ? [value] : [],
    );
  } catch {
    return text.split(/[\s"'=,;]+/).filter(looksLikeKey);
  }
}

function fields(value: Json, name = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => fields(item, name));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, item]) => fields(item, key)) : [];
}
