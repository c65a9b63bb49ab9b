import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AskedQuestion } from '../../src/protocol/web/inbox-page.ts';
import { inboxQuery } from '../api/queries.ts';
import { QuestionForm } from '../run/questions/question-form.tsx';
import { UnreadRuns } from '../run/questions/unread-runs.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { Empty } from '../ui/empty.tsx';
import { Time } from '../ui/time.tsx';
import { useShortcut } from '../ui/use-shortcut.ts';
import { visibleText } from '../ui/visible-text.ts';

/** What all runs ask, the oldest first. */
export function InboxScreen(): ReactNode {
  usePageTitle('Inbox');
  const { data: inbox, error } = useQuery(inboxQuery);
  useShortcut('a', 'Answer the first question', () =>
    document.querySelector<HTMLElement>('[data-question] :is(button, textarea)')?.focus(),
  );
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-4">
      <h1 className="mb-2 text-xl font-semibold">Inbox</h1>
      {error !== null && <Empty title="The questions could not be read" why={error.message} />}
      {inbox !== undefined && <UnreadRuns runs={inbox.unread} />}
      {inbox?.questions.length === 0 && inbox.unread.length === 0 && (
        <Empty
          title="Nothing waits for you"
          why="When an agent asks something, a tool needs your word or a limit is met, it stands here, on the run's card and on its page. The first answer from anywhere counts."
        />
      )}
      <ul className="divide-y divide-line">
        {inbox?.questions.map((asked) => (
          <li key={`${asked.question.run} ${asked.question.id}`} className="py-3">
            <Asked asked={asked} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Asked({ asked }: { readonly asked: AskedQuestion }): ReactNode {
  const { run, title, workflow, question } = asked;
  return (
    <article>
      <p className="mb-1.5 flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
        <Link to="/runs/$run" params={{ run }} className="font-medium text-text hover:underline">
          {visibleText(title === '' ? run : title)}
        </Link>
        <span>{visibleText(workflow)}</span>
        <span>in {visibleText(question.state)}</span>
        <Time at={question.at} />
      </p>
      <QuestionForm run={run} question={question} />
    </article>
  );
}
