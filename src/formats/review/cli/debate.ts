import type { DebateView } from '../views/debate-view.ts';
import { foldDebate } from '../views/fold-debate.ts';
import { flag, type Invocation, word } from '../../../cli/invocation.ts';
import { EXIT } from '../../../cli/exit-code.ts';
import { debateNews, debateText } from './debate-text.ts';
import { findReview, type FoundReview } from '../app/compare-run.ts';
import { watchChanges } from '../../../app/runs/tree-reader.ts';
import { isGoingOn } from '../../../app/workers/queued-run.ts';
import { type OpenStore, withStore } from '../../../app/world/store.ts';
import { type Terminal, printAnswer, terminalTextOptions } from '../../../cli/terminal/terminal.ts';
import { untilInterrupted } from '../../../cli/commands/carry-out.ts';

/** `troupe debate RUN`: findings × reviewers × rounds, result and cost; `--follow` prints it as it goes on. */
export async function debateCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  return await withStore(terminal, async (store) => {
    const found = await findReview(store.journal, word(invocation, 0) ?? 'last', terminal.folder);
    if (flag(invocation, 'follow')) return await untilInterrupted(follow(terminal, store, found));
    print(terminal, viewOf(found));
    return EXIT.ok;
  });
}

const viewOf = ({ records, info: { title, driven } }: FoundReview): DebateView =>
  foldDebate(records, { title, driven });

const print = (terminal: Terminal, view: DebateView): void =>
  printAnswer(terminal, view, () => debateText(view, terminalTextOptions(terminal)));

/** How long a silent journal is trusted: a driver that was killed writes nothing to say so. */
const PATIENCE_MS = 500;

/** Prints the news as they arrive, then the whole; with `--json` the whole after each change. */
async function follow(terminal: Terminal, store: OpenStore, found: FoundReview): Promise<number> {
  const { journal } = store;
  const { run } = found.info;
  const changes = watchChanges(journal);
  let [before, seq]: [DebateView | null, number] = [null, 0];
  try {
    for (;;) {
      // Asked before reading: whatever was written before the end is then certainly read.
      const isOver = !(await isGoingOn(store, run));
      const info = (await journal.run(run)) ?? found.info;
      if (info.seq > seq) {
        const view = viewOf({ info, records: await journal.read(run) });
        printNews(terminal, before, view);
        [before, seq] = [view, info.seq];
      }
      if (isOver) break;
      if ((await journal.run(run))?.seq === seq) await changes.next(PATIENCE_MS);
    }
  } finally {
    changes.close();
  }
  // The last line of `--json` is how it stands now, also where only the run itself went on.
  if (before !== null && !terminal.mode.json) terminal.stdout.write('\n');
  if (before !== null) print(terminal, { ...before, driven: false });
  return EXIT.ok;
}

function printNews(terminal: Terminal, before: DebateView | null, view: DebateView): void {
  const news = debateNews(before, view, terminalTextOptions(terminal));
  if (news.length > 0) printAnswer(terminal, view, () => news.join('\n'));
}
