import { bodyHash, type BodyHash } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { Journal } from '../../journal/port.ts';
import { childDefinition } from './child-run.ts';

/** Definitions by hash: stored once for all runs that use them, and loaded unchanged. */
export class DefinitionStore {
  readonly #journal: Journal;
  readonly #hashes = new WeakMap<Definition, Promise<BodyHash>>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  store(definition: Definition): Promise<BodyHash> {
    const known = this.#hashes.get(definition);
    if (known !== undefined) return known;
    const stored = this.#journal.putBody(definition as unknown as Json);
    this.#hashes.set(definition, stored);
    stored.catch(() => this.#hashes.delete(definition));
    return stored;
  }

  async load(snapshot: Pick<Snapshot, 'definition' | 'workflow'>): Promise<Definition> {
    const stored = (await this.#journal.getBody(bodyHash(snapshot.definition))) as unknown as Definition;
    return stored.workflow.name === snapshot.workflow ? stored : childDefinition(stored, snapshot.workflow);
  }
}
