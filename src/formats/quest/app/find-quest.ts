import { Fault, isFault } from '../../../core/model/fault.ts';
import { rootRunId, runId, type RunId } from '../../../core/model/ids.ts';
import type { Journal } from '../../../journal/port.ts';
import { enclosingProject } from '../../../app/config/project.ts';
import { findRun } from '../../../app/runs/find-run.ts';
import { questView } from '../views/fold-quest.ts';
import { entry } from '../../../protocol/metrics/counters.ts';
import { isQuest, QuestPage } from '../views/quest-page.ts';
import type { QuestView } from '../views/quest-view.ts';
import { type TreeJournal, TreeReader } from '../../../app/runs/tree-reader.ts';

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

  /** Reads the records written since the last read. */
  async readOn(): Promise<void> {
    for (const placed of await this.#reader.readOn())
      entry(this.#pages, placed.run, () => new QuestPage()).take(placed);
  }

  view(): QuestView {
    const view = questView(this.#root, this.#pages);
    if (view === null) throw new Error(`Quest ${this.#root} was opened without its journal.`);
    return view;
  }
}

/** The quest that a person means: by a run of it, or the newest one of the project. */
export async function findQuest(journal: Journal, named: string | null, folder: string): Promise<QuestBook> {
  if (named === null || named === 'last') return await newestQuest(journal, folder);
  const { run } = await findRun(journal, named, folder);
  const book = await QuestBook.open(journal, rootRunId(run));
  if (book !== null) return book;
  throw new Fault('QUEST_UNKNOWN', `Run ${run} is not a quest.`, { hint: `See it with: troupe show ${run}` });
}

/** Only the newest runs are looked at: reading all of them could take long. */
const MOST = 200;

async function newestQuest(journal: Journal, folder: string): Promise<QuestBook> {
  const project = enclosingProject(folder) ?? folder;
  const runs = (await journal.runs({ parent: null })).filter((info) => info.project === project);
  for (const { run } of runs.slice(0, MOST)) {
    const book = await QuestBook.open(journal, run);
    if (book !== null) return book;
  }
  throw new Fault('QUEST_UNKNOWN', 'This project has no quest yet.', {
    hint: 'Begin one with: troupe quest new "…", or name a run of another project.',
  });
}

/** Shorter words are words, also where they are the beginning of an id. */
const SHORTEST_ID = 4;

/** `[RUN] …`: the first word names a run where there is one of that name and more follows; else all of it is for the newest quest. */
export async function splitQuest(
  journal: Journal,
  given: readonly string[],
  folder: string,
): Promise<{ readonly run: string; readonly rest: readonly string[] }> {
  const [first = '', ...rest] = given;
  const isNamed = rest.length > 0 && first !== 'last' && (await isRun(journal, first, folder));
  const book = await findQuest(journal, isNamed ? first : null, folder);
  const { run } = book.view();
  if (isNamed) return { run: first.includes('/') ? first : run, rest };
  return { run, rest: first === 'last' && rest.length > 0 ? rest : given };
}

async function isRun(journal: Journal, text: string, folder: string): Promise<boolean> {
  if ((await journal.run(runId(text))) !== undefined) return true;
  if (text.length < SHORTEST_ID) return false;
  try {
    await findRun(journal, text, folder);
    return true;
  } catch (error) {
    if (!isFault(error)) throw error;
    return error.code === 'RUN_AMBIGUOUS';
  }
}
