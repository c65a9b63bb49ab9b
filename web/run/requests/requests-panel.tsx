import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import type { RequestDifference, RequestLine, RequestView, TracedBlock } from '../../../src/protocol/request-trace.ts';
import { api, runPath } from '../../api/client.ts';
import { changesOfRun } from '../../model/run-history.ts';
import { type Selection, useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { AgentName, Badge } from '../../ui/marks.tsx';
import { Empty } from '../../ui/boxes.tsx';
import { useAtMostEvery } from '../../ui/use-at-most-every.ts';
import { visibleText } from '../../ui/text.tsx';
import { cacheWords, expectedWords, firstShown, requestPlace, sizeWords, tokenWords } from './request-words.ts';
import { shortCount } from '../../../src/core/look/amount-text.ts';

/** One request in full: how full its window is, where it parts from the one before, and its blocks with where they come from. */
export function RequestContent({ run, line, isChosen }: ContentProps): ReactNode {
  const { data, error } = useQuery({
    queryKey: ['requests', run, 'call', line.number],
    queryFn: ({ signal }) => api.get<RequestView>(runPath(run, '/requests'), { call: String(line.number) }, { signal }),
    retry: false,
  });
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isChosen) showBelow(place.current);
  }, [isChosen]);
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label="Request"
      className="flex min-w-0 flex-1 flex-col px-4 py-2.5 -outline-offset-2 @max-lg:min-h-full @max-lg:shrink-0 @lg:min-h-0 @lg:overflow-y-auto"
    >
      <h2 className="font-medium">
        Request {line.number}: {visibleText(line.agent)}, {visibleText(requestPlace(line))}
      </h2>
      <p className="text-sm text-muted">{visibleText(line.model)}</p>
      <Window line={line} />
      {line.failure !== null && (
        <p className="text-sm">
          <Badge tone="bad">failed</Badge> {visibleText(line.failure)}
        </p>
      )}
      {line.cut.map((text) => (
        <p key={text} className="text-sm">
          <Badge tone="warn">cut</Badge> {text}
        </p>
      ))}
      {error !== null && <p className="pt-2">{error.message}</p>}
      {data !== undefined && <Blocks view={data} />}
    </section>
  );
}

interface ContentProps {
  readonly run: string;
  readonly line: RequestLine;
  /** False where it is shown because none was chosen yet. */
  readonly isChosen: boolean;
}

/** Where the request stands below the list, it would be out of sight: it is scrolled to, and the keyboard continues from it. */
function showBelow(request: HTMLElement | null): void {
  const list = request?.previousElementSibling;
  if (request === null || list == null) return;
  if (request.getBoundingClientRect().top < list.getBoundingClientRect().bottom) return;
  request.scrollIntoView({ block: 'start' });
  request.focus({ preventScroll: true });
}

function Window({ line }: { readonly line: RequestLine }): ReactNode {
  const { tokens, countedTokens, window } = line;
  return (
    <div className="py-1.5 text-sm">
      {window !== null && (
        <meter
          className="h-2 w-full"
          aria-label="Window"
          min={0}
          max={window}
          high={0.85 * window}
          value={countedTokens ?? tokens}
        />
      )}
      <p>
        {sizeWords(line)}; {cacheWords(line)}
        {expectedWords(line)}.
      </p>
    </div>
  );
}

function Blocks({ view }: { readonly view: RequestView }): ReactNode {
  const tools = view.blocks.filter(({ section }) => section === 'tools');
  const { difference } = view;
  return (
    <>
      {difference !== null && <Difference difference={difference} />}
      {view.notes.map((text) => (
        <p key={text} className="text-sm text-muted">
          {visibleText(text)}
        </p>
      ))}
      {view.blocks
        .filter(({ section }) => section !== 'tools')
        .map((block, at) => (
          // Blocks of a request never change their places.
          // oxlint-disable-next-line react/no-array-index-key
          <Block key={at} block={block} />
        ))}
      <article className="border-t border-line py-2">
        <h3 className="text-xs font-medium text-muted">Answer</h3>
        <pre className="pt-1 text-sm whitespace-pre-wrap">{visibleText(view.wholeAnswer ?? 'None yet.')}</pre>
      </article>
      <details className="border-t border-line py-2">
        <summary className="cursor-default font-medium">{tools.length} tools</summary>
        {tools.map(({ name, text }) => (
          <pre key={name} className="py-1 text-xs whitespace-pre-wrap">
            {visibleText(text)}
          </pre>
        ))}
      </details>
    </>
  );
}

function Difference({ difference }: { readonly difference: RequestDifference }): ReactNode {
  const { with: other, same, isLonger, block, line, before, now } = difference;
  if (isLonger) return <p className="text-sm text-muted">Begins as request {other}.</p>;
  return (
    <div className="text-sm text-muted">
      <p>
        Differs from request {other} in block {same + 1} ({visibleText(block)}), line {line}:
      </p>
      <pre className="text-xs whitespace-pre-wrap">
        - {visibleText(before)}
        {'\n'}+ {visibleText(now)}
      </pre>
    </div>
  );
}

function Block({ block }: { readonly block: TracedBlock }): ReactNode {
  return (
    <article className="border-t border-line py-2">
      <h3 className="flex flex-wrap items-center gap-1.5 text-xs text-muted">
        <span className="font-medium">{visibleText(block.name)}</span>
        <span>{visibleText(block.origin)}</span>
        {block.isMarked && <Badge tone="neutral">cache mark</Badge>}
        <span className="num ml-auto">~{shortCount(block.tokens)} tokens</span>
      </h3>
      <pre className="pt-1 text-sm whitespace-pre-wrap">{visibleText(block.text)}</pre>
    </article>
  );
}

/** The first request of the step that is chosen. */
const firstOfStep = (
  lines: readonly RequestLine[],
  { run, state, visit, agent }: Selection,
  root: string,
): RequestLine | undefined =>
  lines.find(
    (line) =>
      line.state === state &&
      line.run === (run ?? root) &&
      (visit === undefined || line.visit === visit) &&
      (agent === undefined || line.agent === agent),
  );

const AGAIN_MS = 5000;

/** Every request of the agents as it was sent, and the part that a cache should hold. */
export function RequestsPanel(): ReactNode {
  const [selection, select] = useSelection();
  const { request } = selection;
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
  const chosen =
    data.find(({ number }) => number === request) ?? firstOfStep(data, selection, root) ?? firstShown(data);
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
