import type { ReactNode } from 'react';
import { isJsonObject, type Json } from '../../../src/core/model/json.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { PlainText, visibleText } from '../../ui/text.tsx';

/** A value for people: names and values, lists of them, and texts as texts. */
export function JsonView({ value, depth = 0 }: { readonly value: Json; readonly depth?: number }): ReactNode {
  if (typeof value === 'string') return <Text text={value} />;
  if (value === null || typeof value !== 'object')
    return <span className="num font-mono text-sm">{String(value)}</span>;
  if (depth > DEEPEST) return <PlainText text={JSON.stringify(value)} />;
  if (isJsonObject(value)) return <Fields value={value} depth={depth} />;
  const list = value;
  if (list.length === 0) return <span className="text-muted">none</span>;
  if (list.every((one) => typeof one !== 'object' && String(one).length < 40))
    return <span>{visibleText(list.map(String).join(', '))}</span>;
  return (
    <ol className="flex flex-col gap-1.5">
      {list.map((one, place) => (
        // Nothing is moved in a value that never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={place} className="border-l-2 border-line pl-2">
          <JsonView value={one} depth={depth + 1} />
        </li>
      ))}
    </ol>
  );
}

const DEEPEST = 5;

function Fields({
  value,
  depth,
}: {
  readonly value: Readonly<Record<string, Json>>;
  readonly depth: number;
}): ReactNode {
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className="text-muted">nothing</span>;
  return (
    <dl className="grid grid-cols-[minmax(5rem,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5">
      {entries.map(([name, one]) => (
        <div key={name} className="contents">
          <dt className="truncate text-muted" title={visibleText(name)}>
            {visibleText(name)}
          </dt>
          <dd className="min-w-0">
            <JsonView value={one} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Code keeps its lines; prose is prose. */
function Text({ text }: { readonly text: string }): ReactNode {
  if (text === '') return <span className="text-muted">empty</span>;
  if (!text.includes('\n')) return <span className="wrap-anywhere">{visibleText(text)}</span>;
  return /^(?:#|[-*] |\d+\. )/m.test(text) ? (
    <Markdown text={text} />
  ) : (
    <PlainText text={text} className="rounded-md bg-sunken p-2" />
  );
}
