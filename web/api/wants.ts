import type { StreamBatch, StreamRequest } from '../../src/protocol/web/stream.ts';
import { isRunWithin } from '../../src/core/model/ids.ts';

/** The subscription of one tab. */
export interface Want {
  readonly cards: boolean;
  /** By root: how far the tab has come with it and with the runs below it. */
  readonly roots: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/**
 * The subscriptions of all tabs, as one request. The stream continues from the newest record that was passed on to the tabs;
 * only a tab that comes later, or missed something, sets a run back to where that tab is.
 */
export class Wants {
  readonly #byTab = new Map<string, Want>();
  readonly #at = new Map<string, number>();

  /** Takes what a tab wants now; true when the stream that is open does not give it. */
  take(tab: string, want: Want): boolean {
    const hadCards = this.#wantsCards();
    const before = new Set(this.#roots());
    this.#byTab.set(tab, want);
    let isBehind = want.cards && !hadCards;
    for (const [root, cursors] of Object.entries(want.roots)) {
      if (!before.has(root)) isBehind = true;
      for (const [run, seq] of Object.entries(cursors)) {
        const at = this.#at.get(run);
        if (at === undefined || seq < at) this.#at.set(run, seq);
        if (at !== undefined && seq < at) isBehind = true;
      }
      if (this.#drawBack(root, cursors)) isBehind = true;
    }
    return isBehind;
  }

  /** Runs that began below a root after the tab had read it are sent from their beginning. */
  #drawBack(root: string, cursors: Readonly<Record<string, number>>): boolean {
    const missed = [...this.#at].filter(
      ([run, at]) => at > 0 && isRunWithin(run, root) && !Object.hasOwn(cursors, run) && run !== root,
    );
    for (const [run] of missed) this.#at.set(run, 0);
    return missed.length > 0;
  }

  drop(tab: string): void {
    this.#byTab.delete(tab);
    const roots = this.#roots();
    for (const run of this.#at.keys()) if (!roots.some((root) => isRunWithin(run, root))) this.#at.delete(run);
  }

  tabs(): readonly string[] {
    return [...this.#byTab.keys()];
  }

  /** Notes the records that were passed on to all tabs. */
  passed({ records }: StreamBatch): void {
    for (const { run, record } of records) this.#at.set(run, Math.max(record.seq, this.#at.get(run) ?? 0));
  }

  /** Null when there are no subscriptions. */
  request(): StreamRequest | null {
    const roots = this.#roots();
    const cards = this.#wantsCards();
    if (!cards && roots.length === 0) return null;
    const after = [...this.#at].filter(([run]) => roots.some((root) => isRunWithin(run, root)));
    return { cards, after: { ...Object.fromEntries(roots.map((root) => [root, 0])), ...Object.fromEntries(after) } };
  }

  #roots(): readonly string[] {
    return [...new Set([...this.#byTab.values()].flatMap(({ roots }) => Object.keys(roots)))];
  }

  #wantsCards(): boolean {
    return [...this.#byTab.values()].some(({ cards }) => cards);
  }
}
