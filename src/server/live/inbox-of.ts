import type { AskedQuestion, InboxPage, UnreadRun } from '../../protocol/web/inbox-page.ts';
import type { RunBoard } from './list-runs.ts';

/** How long it waits for a run that is large and was never read. */
const PATIENCE_MS = 5000;

/** Everything that waits for a person in open runs, oldest first; also lists runs that could not be read, or not in time. */
export async function inboxOf({ index, cards }: RunBoard, patienceMs = PATIENCE_MS): Promise<InboxPage> {
  await index.survey();
  const open = index.roots().filter(({ status }) => status !== 'settled');
  const late = await cards.read(
    open.map(({ run }) => run),
    patienceMs,
  );
  const questions = open.flatMap(({ run, workflow, title, project }): readonly AskedQuestion[] =>
    (cards.card(run)?.details?.questions ?? []).map((question) => ({ run, workflow, title, project, question })),
  );
  const unread = open.flatMap(({ run, workflow, title }): readonly UnreadRun[] => {
    const damage = cards.card(run)?.damage ?? null;
    return damage === null && !late.has(run) ? [] : [{ run, workflow, title, damage }];
  });
  return { questions: questions.toSorted((a, b) => a.question.at - b.question.at), unread };
}
