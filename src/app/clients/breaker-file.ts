import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { BreakerKeep } from '../../host/perform/breakers.ts';
import { makeFolder } from '../../lib/make-folder.ts';

type Times = Readonly<Record<string, number>>;

/** Until when no provider can be called, for the next process. Others write here too: only what this one knows is changed. */
export function breakerFile(home: string): BreakerKeep {
  const file = join(home, 'breakers.json');
  let own: Times = {};
  return {
    load: () => (own = read(file)),
    save(until) {
      const closed = new Set(Object.keys(own).filter((provider) => !Object.hasOwn(until, provider)));
      const others = Object.entries(read(file)).filter(([provider]) => !closed.has(provider));
      own = until;
      write(file, { ...Object.fromEntries(others), ...until });
    },
  };
}

/** What cannot be read is nothing: the provider itself says again that it is used up. */
function read(file: string): Times {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Json;
    const entries = isJsonObject(found) ? Object.entries(found) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return {};
  }
}

/** Whole or not at all; not to have it costs a call that is refused once more. */
function write(file: string, times: Times): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    makeFolder(dirname(file), 0o700);
    writeFileSync(draft, `${JSON.stringify(times)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch {
    discard(draft);
  }
}

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Then there is none.
  }
}
