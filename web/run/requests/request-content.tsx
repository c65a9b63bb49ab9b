import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import type { RequestDifference, RequestLine, RequestView, TracedBlock } from '../../../src/protocol/request-trace.ts';
import { api, runPath } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { shortCount } from '../../../src/core/amount-text.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { cacheWords, expectedWords, requestPlace, sizeWords } from './request-words.ts';

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

/** Where the request stands below the list, it would be out of sight: it is scrolled to, and the keyboard goes on from it. */
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
