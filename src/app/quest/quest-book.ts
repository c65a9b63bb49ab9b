import type { RunId } from '../../core/ids.ts';
import { questView } from '../../protocol/quest/fold-quest.ts';
import { entry } from '../../protocol/metrics/counters.ts';
import { isQuest, QuestPage } from '../../protocol/quest/quest-page.ts';
import type { QuestView } from '../../protocol/quest/quest-view.ts';
import { TreeReader, type TreeJournal } from '../runs/tree-reader.ts';

/** A quest read from its journals, and read on as they grow. */
export class QuestBook {
  readonly #root: RunId;
  readonly #reader: TreeReader;
  readonly #pages = new Map<string, QuestPage>();

  private constructor(journal: TreeJournal, root: RunId) {
    this.#root = root;
    this.#reader = new TreeReader(journal, root);
  }

  /** Null for a run that is no quest. */
  static async open(journal: TreeJournal, root: RunId): Promise<QuestBook | null> {
    if (!isQuest(await journal.read(root, 0, 1))) return null;
    const book = new QuestBook(journal, root);
    await book.readOn();
    return book;
  }

  /** What was written since it was last read; only of these runs where some are named. */
  async readOn(runs?: readonly RunId[]): Promise<void> {
    for (const placed of await this.#reader.readOn(runs))
      entry(this.#pages, placed.run, () => new QuestPage()).take(placed);
  }

  view(): QuestView {
    const view = questView(this.#root, this.#pages);
    if (view === null) throw new Error(`Quest ${this.#root} was opened without its journal.`);
    return view;
  }
}
