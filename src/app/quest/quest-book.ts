import type { JournalRecord } from '../../core/fact.ts';
import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { questView } from '../../protocol/quest/fold-quest.ts';
import { foldPage, isQuest, type QuestPage } from '../../protocol/quest/quest-page.ts';
import type { QuestView } from '../../protocol/quest/quest-view.ts';

export type QuestJournal = Pick<Journal, 'read' | 'run' | 'runs'>;

/** A quest read from its journals, and read on as they grow. */
export class QuestBook {
  readonly #journal: QuestJournal;
  readonly #root: RunId;
  readonly #pages = new Map<string, QuestPage>();

  private constructor(journal: QuestJournal, root: RunId) {
    this.#journal = journal;
    this.#root = root;
  }

  /** Null for a run that is no quest. */
  static async open(journal: QuestJournal, root: RunId): Promise<QuestBook | null> {
    const records = await journal.read(root);
    if (!isQuest(records)) return null;
    const book = new QuestBook(journal, root);
    book.#add(root, records);
    await book.#readBelow(root);
    return book;
  }

  async #readBelow(parent: RunId): Promise<void> {
    for (const { run } of await this.#journal.runs({ parent })) {
      await this.readOn(run);
      await this.#readBelow(run);
    }
  }

  /** What was written of a run since it was last read. */
  async readOn(run: RunId): Promise<void> {
    const info = await this.#journal.run(run);
    const known = this.#pages.get(run)?.snapshot.seq ?? 0;
    if (info !== undefined && info.seq > known) this.#add(run, await this.#journal.read(run, known));
  }

  #add(run: RunId, records: readonly JournalRecord[]): void {
    const page = foldPage(records, this.#pages.get(run) ?? null);
    if (page !== null) this.#pages.set(run, page);
  }

  view(): QuestView {
    const view = questView(this.#root, this.#pages);
    if (view === null) throw new Error(`Quest ${this.#root} was opened without its journal.`);
    return view;
  }
}
