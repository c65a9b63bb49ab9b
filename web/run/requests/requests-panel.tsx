import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RequestLine } from '../../../src/protocol/request-trace.ts';
import { api, runPath } from '../../api/client.ts';
import { requestChanges } from '../../model/request-facts.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatCount } from '../../ui/format.ts';
import { useAtMostEvery } from '../../ui/use-at-most-every.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { RequestContent } from './request-content.tsx';

const AGAIN_MS = 5000;

/** What agents read: every request as it left, and what of it a cache should hold. */
export function RequestsPanel(): ReactNode {
  const [{ request }, select] = useSelection();
  const root = useTree((tree) => tree.root);
  const isLoaded = useTree((tree) => tree.isLoaded);
  const changes = useAtMostEvery(AGAIN_MS, useTree(requestChanges));
  const { data, error } = useQuery({
    queryKey: ['requests', root, changes],
    queryFn: ({ signal }) => api.get<readonly RequestLine[]>(runPath(root, '/requests'), {}, { signal }),
    placeholderData: (before) => before,
    enabled: isLoaded,
    staleTime: Infinity,
    retry: false,
  });
  if (error !== null && data === undefined) return <Empty title="The requests cannot be shown" why={error.message} />;
  if (data === undefined) return <p className="p-4 text-muted">Loading …</p>;
  if (data.length === 0) return <Empty title="No requests" why="No agent of this run has been asked yet." />;
  const chosen = data.find(({ number }) => number === request) ?? null;
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col @2xl:flex-row">
        <nav
          aria-label="Requests"
          className="relative min-h-32 overflow-y-auto @2xl:w-72 @2xl:shrink-0 @2xl:border-r @2xl:border-line max-@2xl:max-h-[40%] max-@2xl:border-b max-@2xl:border-line"
        >
          <ul>
            {data.map((line) => (
              <li key={line.number}>
                <Item line={line} isChosen={line === chosen} onChoose={() => select({ request: line.number })} />
              </li>
            ))}
          </ul>
        </nav>
        {chosen !== null && <RequestContent key={chosen.number} run={root} line={chosen} />}
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
  const { number, agent, ofAgent, state, call, tokens, cache, cut, inheritedFrom } = line;
  return (
    <button
      type="button"
      aria-current={isChosen || undefined}
      onClick={onChoose}
      className="flex w-full min-w-0 flex-col px-4 py-1 text-left hover:bg-hover aria-[current]:bg-accent-soft"
    >
      <span className="flex w-full min-w-0 items-center gap-1.5">
        <span className="num text-muted">{number}</span>
        <AgentName agent={agent} />
        <span className="num text-muted">{ofAgent}</span>
        <span className="num ml-auto shrink-0 text-xs text-muted">{formatCount(tokens)} tokens</span>
      </span>
      <span className="flex items-center gap-1.5 text-xs text-muted">
        <span className="truncate">
          {visibleText(state)}, call {call}
        </span>
        <span className="num ml-auto shrink-0">{Math.round(100 * cache.predicted)} % cached</span>
        {inheritedFrom !== undefined && <Badge>before the fork</Badge>}
        {cut.length > 0 && <Badge tone="warn">cut</Badge>}
      </span>
    </button>
  );
}
