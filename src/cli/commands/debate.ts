import type { Journal } from '../../journal/port.ts';
import type { DebateView } from '../../protocol/review/debate-view.ts';
import { foldDebate } from '../../protocol/review/fold-debate.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, word } from '../invocation.ts';
import { debateNews } from '../review/debate-news.ts';
import { debateText } from '../review/debate-text.ts';
import { findReview, type FoundReview } from '../../app/views/review/find-review.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { watchChanges } from '../../app/runs/journal-changes.ts';
import { withStore } from '../../app/world/store.ts';
import { paintFor } from '../terminal/colour.ts';

/** `troupe debate RUN`: findings × reviewers × rounds, what it came to and what it cost; `--follow` prints it as it goes on. */
export async function debateCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  return await withStore(terminal, async ({ journal }) => {
    const found = await findReview(journal, word(invocation, 0) ?? 'last', terminal.folder);
    if (!flag(invocation, 'follow')) {
      print(invocation, viewOf(found));
      return EXIT.ok;
    }
    const interrupt = onInterrupt();
    const ended = await Promise.race([follow(invocation, journal, found), interrupt.asked]);
    interrupt.stop();
    return ended === 'interrupted' ? EXIT.interrupted : EXIT.ok;
  });
}

const viewOf = ({ records, info: { title, driven } }: FoundReview): DebateView =>
  foldDebate(records, { title, driven });

function print(invocation: Invocation, view: DebateView): void {
  const { stdout } = invocation.terminal;
  stdout.write(`${flag(invocation, 'json') ? JSON.stringify(view) : debateText(view, textOptions(invocation))}\n`);
}

const textOptions = ({ terminal: { stdout, environment } }: Invocation) => ({
  width: stdout.columns || 80,
  paint: paintFor(stdout, environment),
});

/** How long a silent journal is trusted: a driver that was killed writes nothing to say so. */
const PATIENCE_MS = 500;

/** What is new as it comes, then the whole of it; with `--json` the whole of it each time something is new. */
async function follow(invocation: Invocation, journal: Journal, found: FoundReview): Promise<void> {
  const { run } = found.info;
  const changes = watchChanges(journal);
  let [before, seq]: [DebateView | null, number] = [null, 0];
  try {
    for (;;) {
      // Asked before reading: whatever was written before the end is then certainly read.
      const info = (await journal.run(run)) ?? found.info;
      if (info.seq > seq) {
        const view = viewOf({ info, records: await journal.read(run) });
        printNews(invocation, before, view);
        [before, seq] = [view, info.seq];
      }
      if (!info.driven) break;
      if ((await journal.run(run))?.seq === seq) await changes.next(PATIENCE_MS);
    }
  } finally {
    changes.close();
  }
  if (before !== null) printLast(invocation, { ...before, driven: false });
}

function printNews(invocation: Invocation, before: DebateView | null, view: DebateView): void {
  const news = debateNews(before, view, textOptions(invocation));
  const { stdout } = invocation.terminal;
  if (news.length === 0) return;
  stdout.write(flag(invocation, 'json') ? `${JSON.stringify(view)}\n` : `${news.join('\n')}\n`);
}

/** The last line of `--json` is how it stands now, also where only the run itself went on. */
function printLast(invocation: Invocation, view: DebateView): void {
  if (!flag(invocation, 'json')) invocation.terminal.stdout.write('\n');
  print(invocation, view);
}
