import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, ReactNode } from 'react';
import type { RequestLine } from '../../../src/protocol/request-trace.ts';
import { api, runPath } from '../../api/client.ts';
import { changesOfRun } from '../../model/run-history.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { useAtMostEvery } from '../../ui/use-at-most-every.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { RequestContent } from './request-content.tsx';
import { cacheWords, firstShown, requestPlace, tokenWords } from './request-words.ts';

const AGAIN_MS = 5000;

/** What agents read: every request as it left, and what of it a cache should hold. */
export function RequestsPanel(): ReactNode {
  const [{ request }, select] = useSelection();
  const root = useTree((tree) => tree.root);
  const isLoaded = useTree((tree) => tree.isLoaded);
  const changes = useAtMostEvery(
    AGAIN_MS,
    useTree((tree) => changesOfRun(tree, 'requests')),
  );
  const { data, error } = useQuery({
    queryKey: ['requests', root, changes],
    queryFn: async ({ signal }) =>
      (await api.get<{ readonly items: readonly RequestLine[] }>(runPath(root, '/requests'), {}, { signal })).items,
    placeholderData: (before) => before,
    enabled: isLoaded,
    staleTime: Infinity,
    retry: false,
  });
  if (error !== null && data === undefined) return <Empty title="The requests cannot be shown" why={error.message} />;
  if (data === undefined) return <p className="p-4 text-muted">Loading …</p>;
  if (data.length === 0) return <Empty title="No requests" why="No agent of this run has been asked yet." />;
  const chosen = data.find(({ number }) => number === request) ?? firstShown(data);
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 @max-lg:flex-col @max-lg:overflow-y-auto">
        <nav
          aria-label="Requests"
          className="relative border-line @max-lg:shrink-0 @max-lg:border-b @lg:w-60 @lg:shrink-0 @lg:overflow-y-auto @lg:border-r @3xl:w-80"
        >
          <p className="px-4 py-1.5 text-xs text-muted">
            In the order in which they left; ~ is an estimate. Choose one, or move with ↑ and ↓.
          </p>
          <ul>
            {data.map((line) => (
              <li key={line.number}>
                <Item line={line} isChosen={line === chosen} onChoose={() => select({ request: line.number })} />
              </li>
            ))}
          </ul>
        </nav>
        {chosen !== null && (
          <RequestContent key={chosen.number} run={root} line={chosen} isChosen={chosen.number === request} />
        )}
      </div>
    </div>
  );
}

interface ItemProps {
  readonly line: RequestLine;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Item({ line, isChosen, onChoose }: ItemProps): ReactNode {
  const { number, agent, cut, failure, inheritedFrom } = line;
  return (
    <button
      type="button"
      aria-current={isChosen || undefined}
      onClick={onChoose}
      onKeyDown={chooseBeside}
      className="flex w-full min-w-0 flex-col px-4 py-1 text-left hover:bg-hover aria-[current]:bg-accent-soft"
    >
      <span className="flex w-full min-w-0 items-center gap-1.5">
        <span className="num text-muted">{number}</span>
        <AgentName agent={agent} />
        <span className="num ml-auto shrink-0 text-xs text-muted">{tokenWords(line)}</span>
      </span>
      <span className="flex w-full flex-wrap items-center justify-between gap-x-1.5 text-xs text-muted">
        <span className="wrap-anywhere">{visibleText(requestPlace(line))}</span>
        <span className="num">{cacheWords(line)}</span>
        {inheritedFrom !== undefined && <Badge>before the fork</Badge>}
        {failure !== null && <Badge tone="bad">failed</Badge>}
        {cut.length > 0 && <Badge tone="warn">cut</Badge>}
      </span>
    </button>
  );
}

/** The arrow keys choose the next request and the one before. */
function chooseBeside(event: KeyboardEvent<HTMLButtonElement>): void {
  const item = event.currentTarget.closest('li');
  const beside = { ArrowDown: item?.nextElementSibling, ArrowUp: item?.previousElementSibling }[event.key];
  const button = beside?.querySelector('button');
  if (button == null) return;
  event.preventDefault();
  button.focus();
  button.click();
}
