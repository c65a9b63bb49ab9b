import type { AskedQuestion, InboxPage } from '../../protocol/web/inbox-page.ts';
import type { Board } from './list-runs.ts';

/** How long it waits for a run that is large and was never read. */
const PATIENCE_MS = 5000;

/** What waits for a person, in all runs that are not over; the oldest first. A run that cannot be read asks nothing. */
export async function inboxOf({ index, cards }: Board): Promise<InboxPage> {
  await index.survey();
  const open = index.roots().filter(({ status }) => status !== 'settled');
  await cards.read(
    open.map(({ run }) => run),
    PATIENCE_MS,
  );
  const questions = open.flatMap(({ run, workflow, title, project }): readonly AskedQuestion[] =>
    (cards.card(run)?.details?.questions ?? []).map((question) => ({ run, workflow, title, project, question })),
  );
  return { questions: questions.toSorted((a, b) => a.question.at - b.question.at) };
}
