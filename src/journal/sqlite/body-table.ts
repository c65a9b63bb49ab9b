import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { BodyHash } from '../../core/model/ids.ts';
import { contentHash } from '../content-hash.ts';
import { damaged } from '../refusal.ts';

/** Large texts, each stored once under the hash of its content [J5]. */
export class BodyTable {
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #all: StatementSync;

  constructor(database: DatabaseSync) {
    this.#get = database.prepare('SELECT body FROM bodies WHERE hash = ?');
    this.#put = database.prepare('INSERT INTO bodies VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.#all = database.prepare('SELECT hash, body FROM bodies NOT INDEXED');
  }

  get(hash: BodyHash): string | undefined {
    const row = this.#get.get(hash) as { readonly body: string } | undefined;
    if (row === undefined) return undefined;
    if (contentHash(row.body) !== hash) throw damaged(`The body ${hash} is damaged.`, { hash });
    return row.body;
  }

  /** Whether it was new. */
  put(hash: BodyHash, body: string): boolean {
    return this.#put.run(hash, body).changes === 1;
  }

  /** The hashes of those that are damaged. */
  *damaged(): Generator<BodyHash> {
    for (const row of this.#all.iterate() as Iterable<unknown>) {
      const { hash, body } = row as { readonly hash: BodyHash; readonly body: string };
      if (contentHash(body) !== hash) yield hash;
    }
  }
}
