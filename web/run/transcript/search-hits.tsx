import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SearchHit, SearchPage } from '../../../src/protocol/web/search-page.ts';
import { api } from '../../api/client.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { classNames } from '../../ui/class-names.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { isConversation } from './conversation-kinds.ts';

/** Where a text stands in the run and in those below it: looked for by the server, in whole texts. */
export function SearchHits(): ReactNode {
  const [{ q }] = useSelection();
  const root = useTree((tree) => tree.root);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['search', root, q],
    queryFn: ({ signal }) => api.get<SearchPage>('/api/search', { q, run: root, limit: 200 }, { signal }),
    enabled: q !== undefined && q !== '',
    placeholderData: (before) => before,
  });
  if (q === undefined || q === '') return null;
  if (error !== null) return <p className="border-b border-line px-4 py-1.5 text-bad">{error.message}</p>;
  if (data === undefined) return <p className="border-b border-line px-4 py-1.5 text-muted">Searching …</p>;
  return (
    <section
      aria-label="Where it stands"
      className={classNames(
        'flex max-h-[40%] shrink-0 flex-col border-b border-line bg-surface',
        isPlaceholderData && 'opacity-60',
      )}
    >
      <p role="status" className="num px-4 pt-1.5 text-sm text-muted">
        {data.count === 0
          ? `“${q}” stands nowhere in this run.`
          : `${data.count} times in ${data.places} records${data.isWhole ? '' : ', as far as could be looked at'}`}
      </p>
      <ul className="relative min-h-0 overflow-y-auto py-1">
        {conversationsFirst(data.hits).map((hit) => (
          <Hit key={`${hit.run} ${hit.seq} ${hit.path.join('.')}`} hit={hit} length={q.length} />
        ))}
      </ul>
    </section>
  );
}

/** What was said is mostly what is looked for; the same words stand in many records of the engine besides. */
const conversationsFirst = (hits: readonly SearchHit[]): readonly SearchHit[] =>
  hits.toSorted((a, b) => Number(isConversation(b.kind)) - Number(isConversation(a.kind)));

function Hit({ hit, length }: { readonly hit: SearchHit; readonly length: number }): ReactNode {
  const [{ seq, run }, select] = useSelection();
  const root = useTree((tree) => tree.root);
  const { excerpt, offset, kind, count } = hit;
  const of = hit.run === root ? undefined : hit.run;
  const go = (): void =>
    select({
      seq: hit.seq ?? undefined,
      run: of,
      context: '*',
      task: undefined,
      state: undefined,
      visit: undefined,
      tab: isConversation(kind) ? 'transcript' : 'events',
    });
  return (
    <li>
      <button
        type="button"
        onClick={go}
        aria-current={(hit.seq === seq && of === run) || undefined}
        className="flex w-full min-w-0 items-baseline gap-2 px-4 py-0.5 text-left text-sm hover:bg-hover aria-[current]:bg-accent-soft"
      >
        <span className="num w-10 shrink-0 text-right text-muted">{hit.seq}</span>
        <span className="w-28 shrink-0 truncate text-muted">{kind}</span>
        <span className="truncate">
          {visibleText(excerpt.slice(0, offset))}
          <mark className="rounded-sm bg-warn-soft text-text">
            {visibleText(excerpt.slice(offset, offset + length))}
          </mark>
          {visibleText(excerpt.slice(offset + length))}
        </span>
        {count > 1 && <span className="num ml-auto shrink-0 text-muted">×{count}</span>}
      </button>
    </li>
  );
}
