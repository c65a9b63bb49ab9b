import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AskedQuestion, UnreadRun } from '../../src/protocol/web/inbox-page.ts';
import { inboxQuery } from '../api/queries.ts';
import { QuestionForm } from '../run/questions/question-form.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { Empty } from '../ui/boxes.tsx';
import { Time } from '../ui/figures.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { visibleText } from '../ui/text.tsx';

/** An inbox that could not look everywhere says so: an empty one would be taken for an all-clear. */
export function UnreadRuns({ runs }: { readonly runs: readonly UnreadRun[] }): ReactNode {
  if (runs.length === 0) return null;
  const late = runs.filter(({ damage }) => damage === null);
  const damaged = runs.filter(({ damage }) => damage !== null);
  return (
    <div role="status" className="mb-2 flex flex-col gap-1 text-sm">
      {late.length > 0 && (
        <p className="text-muted">
          {late.length === 1 ? '1 run is' : `${late.length} runs are`} still being read and may ask more:{' '}
          <RunLinks runs={late} />
        </p>
      )}
      {damaged.map((one) => (
        <p key={one.run} className="text-warn">
          What <RunLinks runs={[one]} /> asks is not known: {visibleText(one.damage ?? '')}
        </p>
      ))}
    </div>
  );
}

const MOST_LINKS = 5;

function RunLinks({ runs }: { readonly runs: readonly UnreadRun[] }): ReactNode {
  return (
    <>
      {runs.slice(0, MOST_LINKS).map(({ run, title }, place) => (
        <span key={run}>
          {place > 0 && ', '}
          <Link to="/runs/$run" params={{ run }} className="text-text underline">
            {visibleText(title === '' ? run : title)}
          </Link>
        </span>
      ))}
      {runs.length > MOST_LINKS && ' …'}
    </>
  );
}

/** The questions of all runs, oldest first. */
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
          why="When an agent asks something, a tool needs your word or a limit is met, it is listed here, on the run's card and on its page. The first answer counts."
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
