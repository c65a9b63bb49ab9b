import { isDeepStrictEqual } from 'node:util';
import { foldRecords } from '../../core/fold/fold.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import { sharedText } from '../../core/look/shared-text.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { Journal } from '../../journal/port.ts';
import type { DefinitionStore } from './definition-store.ts';
import type { Driver } from './driver.ts';

/** The text that all agents of a tree of runs read first, from the root's records. */
export async function sharedTextOf(journal: Pick<Journal, 'getBody'>, root: RootRun): Promise<string> {
  const { brief, sandbox, terms } = root.snapshot;
  const notes = brief?.notes === undefined ? '' : ((await journal.getBody(brief.notes)) as string);
  return sharedText({ definition: root.definition, brief, notes, sandbox, terms });
}

export interface RootRun {
  readonly snapshot: Snapshot;
  readonly definition: Definition;
}

/** The same for the runs driven here. The notes are read once for each root run and state of its terms. */
export class SharedTexts {
  readonly #journal: Journal;
  readonly #definitions: DefinitionStore;
  readonly #drivers: ReadonlyMap<RunId, Driver>;
  readonly #known = new WeakMap<Definition, Known>();
  readonly #elsewhere = new Map<RunId, RootRun & { readonly tip: string | undefined }>();

  constructor(journal: Journal, definitions: DefinitionStore, drivers: ReadonlyMap<RunId, Driver>) {
    this.#journal = journal;
    this.#definitions = definitions;
    this.#drivers = drivers;
  }

  of(run: RunId): string | Promise<string> {
    const root = this.#drivers.get(rootRunId(run));
    return root === undefined ? this.#load(rootRunId(run)).then((loaded) => this.#textOf(loaded)) : this.#textOf(root);
  }

  #textOf(root: RootRun): string | Promise<string> {
    const { brief, sandbox, terms } = root.snapshot;
    const known = this.#known.get(root.definition);
    if (known !== undefined && isSame(known, root.snapshot)) return known.text;
    const fresh: Known = { brief, sandbox, terms, text: sharedTextOf(this.#journal, root) };
    this.#known.set(root.definition, fresh);
    void this.#keep(root.definition, fresh);
    return fresh.text;
  }

  async #keep(definition: Definition, known: Known): Promise<void> {
    try {
      known.text = await known.text;
    } catch {
      this.#known.delete(definition);
    }
  }

  /** A root that another process drives, read again only if it has new records. */
  async #load(root: RunId): Promise<RootRun> {
    const tip = (await this.#journal.run(root))?.tip;
    const read = this.#elsewhere.get(root);
    if (read !== undefined && read.tip === tip) return read;
    const snapshot = foldRecords(await this.#journal.read(root));
    const loaded = { tip, snapshot, definition: await this.#definitions.load(snapshot) };
    this.#elsewhere.set(root, loaded);
    return loaded;
  }

  forget(root: RunId): void {
    this.#elsewhere.delete(root);
  }
}

/** Runs of the same definition mostly have the same terms, each its own copy. */
const isSame = (known: Pick<Known, 'brief' | 'sandbox' | 'terms'>, { brief, sandbox, terms }: Snapshot): boolean =>
  known.sandbox === sandbox && isEqual(known.terms, terms) && isEqual(known.brief, brief);

const isEqual = (one: unknown, other: unknown): boolean => one === other || isDeepStrictEqual(one, other);

interface Known extends Pick<Snapshot, 'brief' | 'sandbox' | 'terms'> {
  /** The text itself once it was made, so that most calls wait for nothing. */
  text: string | Promise<string>;
}
